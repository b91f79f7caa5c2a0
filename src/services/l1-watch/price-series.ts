import type { Timer } from "#base/primitives/index.ts";
import type { ExchangeRate } from "./price-ports.ts";

/** Number of consecutive polls that confirm a price far off the usual one. */
export const CONFIRMING_POLLS = 10;

/** Factor from the usual price, up or down, beyond which a price is far off. */
const FAR_OFF = 4n;

/** Maximum factor between two reports of a far-off price that confirm each other. */
const ALIKE = 2n;

const WINDOW_MS = 3_600_000;

/** Maximum samples per window; more frequent polls are thinned out. */
const MAX_SAMPLES = 360;

/** Decision on a reported price. */
export type Judgement = "taken" | "confirmed" | "held_back";

interface Sample {
  readonly atMs: number;
  readonly value: ExchangeRate;
}

/**
 * One price over the last hour. A price far off the hour's median is held back until {@link CONFIRMING_POLLS}
 * consecutive polls or another source confirm it; the window then restarts with it.
 */
export class PriceSeries {
  readonly #timer: Pick<Timer, "nowMs">;
  #samples: Sample[] = [];
  #held: ExchangeRate | undefined;
  #heldPolls = 0;

  constructor(timer: Pick<Timer, "nowMs">) {
    this.#timer = timer;
  }

  /** Median of the last hour; `undefined` without samples. */
  get usual(): ExchangeRate | undefined {
    this.#forgetOld();
    const sorted = this.#samples.map(({ value }) => value).sort(compare);
    return sorted[Math.floor(sorted.length / 2)];
  }

  /** Number of consecutive polls that reported the held-back price. */
  get heldPolls(): number {
    return this.#heldPolls;
  }

  /** Whether a price is far off the usual one. */
  isFarOff(value: ExchangeRate): boolean {
    const { usual } = this;
    return usual !== undefined && isApart(value, usual, FAR_OFF);
  }

  /**
   * Accepts the price of one poll, or holds it back.
   *
   * @param isConfirmedByOthers - whether another source reports it as well
   */
  judge(value: ExchangeRate, isConfirmedByOthers: boolean): Judgement {
    if (!this.isFarOff(value)) {
      this.#release();
      this.#sample(value);
      return "taken";
    }
    const isAgain = this.#held !== undefined && isAlike(value, this.#held);
    this.#held = value;
    this.#heldPolls = isAgain ? this.#heldPolls + 1 : 1;
    if (this.#heldPolls < CONFIRMING_POLLS && !isConfirmedByOthers) return "held_back";
    this.#release();
    this.#samples = [];
    this.#sample(value);
    return "confirmed";
  }

  #release(): void {
    this.#held = undefined;
    this.#heldPolls = 0;
  }

  #sample(value: ExchangeRate): void {
    const atMs = this.#timer.nowMs();
    const last = this.#samples.at(-1);
    if (last !== undefined && atMs - last.atMs < WINDOW_MS / MAX_SAMPLES) return;
    this.#samples.push({ atMs, value });
  }

  #forgetOld(): void {
    const fromMs = this.#timer.nowMs() - WINDOW_MS;
    this.#samples = this.#samples.filter(({ atMs }) => atMs >= fromMs);
  }
}

/** Whether two prices, read at different moments, are close enough to confirm each other. */
export function isAlike(one: ExchangeRate, other: ExchangeRate): boolean {
  return !isApart(one, other, ALIKE);
}

/** Whether one of them is more than `times` the other. */
function isApart(one: ExchangeRate, other: ExchangeRate, times: bigint): boolean {
  const left = one.numerator * other.denominator;
  const right = other.numerator * one.denominator;
  return left > right * times || right > left * times;
}

function compare(one: ExchangeRate, other: ExchangeRate): number {
  const left = one.numerator * other.denominator;
  const right = other.numerator * one.denominator;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

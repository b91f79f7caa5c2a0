import type { Timer } from "#base/primitives/index.ts";
import type { ExchangeRate } from "./price-ports.ts";

/** Polls that confirm a price that is far off. */
export const CONFIRMING_POLLS = 10;

/** More than so many times the usual price, or less than that part of it, is far off. */
const FAR_OFF = 4n;

/** Two who tell a far off price tell the same when neither is more than so many times the other. */
const ALIKE = 2n;

const WINDOW_MS = 3_600_000;

/** Polls may be more frequent; so many of them stand for the hour. */
const MAX_SAMPLES = 360;

/** What becomes of a price that was told. */
export type Judgement = "taken" | "confirmed" | "held_back";

interface Sample {
  readonly atMs: number;
  readonly value: ExchangeRate;
}

/**
 * One price over the last hour. One that is far off the hour's median is held back until it was told in
 * {@link CONFIRMING_POLLS} polls in a row, or by somebody else; then the hour begins anew with it.
 */
export class PriceSeries {
  readonly #timer: Pick<Timer, "nowMs">;
  #samples: Sample[] = [];
  #held: ExchangeRate | undefined;
  #heldPolls = 0;

  constructor(timer: Pick<Timer, "nowMs">) {
    this.#timer = timer;
  }

  /** The hour's median; `undefined`: none was taken in it. */
  get usual(): ExchangeRate | undefined {
    this.#forgetOld();
    const sorted = this.#samples.map(({ value }) => value).sort(compare);
    return sorted[Math.floor(sorted.length / 2)];
  }

  /** In how many polls in a row the price that is held back was told. */
  get heldPolls(): number {
    return this.#heldPolls;
  }

  /** Whether a price is far off the usual one. */
  isFarOff(value: ExchangeRate): boolean {
    const { usual } = this;
    return usual !== undefined && isApart(value, usual, FAR_OFF);
  }

  /**
   * Takes a price that was told in one poll, or holds it back.
   *
   * @param isToldByOthers - somebody else tells it as well
   */
  judge(value: ExchangeRate, isToldByOthers: boolean): Judgement {
    if (!this.isFarOff(value)) {
      this.#release();
      this.#sample(value);
      return "taken";
    }
    const isAgain = this.#held !== undefined && isAlike(value, this.#held);
    this.#held = value;
    this.#heldPolls = isAgain ? this.#heldPolls + 1 : 1;
    if (this.#heldPolls < CONFIRMING_POLLS && !isToldByOthers) return "held_back";
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

/** Whether two tell the same, as far as that can be asked of two at two moments. */
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

import { FIRST_WORD, SharedPage } from "#base/primitives/index.ts";
import type { GasPrices, ResourcePrice } from "#protocol/chain/index.ts";
import type { GasPriceChange } from "./control-messages.ts";

/**
 * Words of the page: whether block production is on request only, the chain's start time, the clock shift,
 * the time of the next block, and two words for each price, the lower one first.
 */
const HELD = FIRST_WORD;
const START = HELD + 1;
const SHIFT = START + 1;
const NEXT = SHIFT + 1;
const PRICES = NEXT + 1;

const RESOURCES = ["l1Gas", "l1DataGas", "l2Gas"] as const;
const UNITS = ["wei", "fri"] as const;
const WORDS = PRICES + RESOURCES.length * UNITS.length * 2;

/** Marks an absent time. */
const NONE = -1n;

/**
 * Time and price overrides of a development chain: one page of memory shared by all threads, so that
 * estimates use the time and prices of the block under construction. One thread writes; the others never see
 * a partial change.
 */
export class DevEnvironment {
  readonly #page: SharedPage;

  /** @param page - made by {@link createDevPage} */
  constructor(page: SharedArrayBuffer) {
    this.#page = new SharedPage(page);
  }

  /** Whether blocks are made on request only, regardless of the settings. */
  isHeld(): boolean {
    return Atomics.load(this.#page.words, HELD) !== 0n;
  }

  /** Switches to blocks on request only, or back. Survives a {@link reset}. Callable from any thread. */
  hold(isHeld: boolean): void {
    Atomics.store(this.#page.words, HELD, isHeld ? 1n : 0n);
  }

  /** Returns the chain's time in Unix milliseconds for the system time `systemMs`. */
  nowMs(systemMs: number): number {
    const { shiftMs, nextMs } = this.#page.read((words) => ({
      shiftMs: words[SHIFT] ?? 0n,
      nextMs: words[NEXT] ?? NONE,
    }));
    return nextMs === NONE ? systemMs + Number(shiftMs) : Number(nextMs);
  }

  /** Returns `prices` with the overrides applied. */
  priced(prices: GasPrices): GasPrices {
    return this.#page.read((words) => {
      const price = (resource: (typeof RESOURCES)[number]): ResourcePrice => ({
        wei: readPrice(words, resource, "wei") ?? prices[resource].wei,
        fri: readPrice(words, resource, "fri") ?? prices[resource].fri,
      });
      return { l1Gas: price("l1Gas"), l1DataGas: price("l1DataGas"), l2Gas: price("l2Gas") };
    });
  }

  /** Sets the time of the next block to `timestamp` (Unix seconds); the clock continues from there. */
  setTime(timestamp: number, systemMs: number): void {
    this.#page.write((words) => {
      words[NEXT] = BigInt(timestamp) * 1000n;
      words[SHIFT] = BigInt(timestamp) * 1000n - BigInt(Math.floor(systemMs));
    });
  }

  /**
   * Continues from the newest block's time: always on a chain with its own time, otherwise only if that time
   * is ahead of the system clock.
   */
  resume(timestamp: number, systemMs: number): void {
    this.#page.write((words) => {
      const aheadMs = BigInt(timestamp) * 1000n - BigInt(Math.floor(systemMs));
      words[SHIFT] = aheadMs > 0n || words[START] !== NONE ? aheadMs : 0n;
    });
  }

  /** Clears all overrides: the time restarts at the chain's start time, else at the system clock. */
  reset(systemMs: number): void {
    this.#page.write((words) => begin(words, words[START] ?? NONE, systemMs));
  }

  increaseTime(seconds: number): void {
    this.#page.write((words) => {
      const stepMs = BigInt(seconds) * 1000n;
      words[SHIFT] = (words[SHIFT] ?? 0n) + stepMs;
      const nextMs = words[NEXT] ?? NONE;
      if (nextMs !== NONE) words[NEXT] = nextMs + stepMs;
    });
  }

  /** Clears the time set for the next block, which has been opened. */
  opened(): void {
    if (this.#page.words[NEXT] === NONE) return;
    this.#page.write((words) => {
      words[NEXT] = NONE;
    });
  }

  /** Sets prices, each above 0 and below 2^128; prices missing in `change` keep their values. */
  setPrices(change: GasPriceChange): void {
    this.#page.write((words) => {
      for (const resource of RESOURCES) {
        for (const unit of UNITS) {
          const price = change[resource]?.[unit];
          if (price === undefined) continue;
          const at = priceWord(resource, unit);
          words[at] = BigInt.asIntN(64, price);
          words[at + 1] = BigInt.asIntN(64, price >> 64n);
        }
      }
    });
  }
}

/**
 * Creates a page without overrides.
 *
 * @param startTime - time of the chain at `systemMs`, in Unix seconds, for a chain with its own time; `null`
 * to use the system clock
 */
export function createDevPage(startTime: number | null, systemMs: number): SharedArrayBuffer {
  const page = new SharedArrayBuffer(WORDS * 8);
  const words = new BigInt64Array(page);
  words[START] = startTime === null ? NONE : BigInt(startTime);
  begin(words, words[START], systemMs);
  return page;
}

function begin(words: BigInt64Array, start: bigint, systemMs: number): void {
  words.fill(0n, SHIFT);
  words[NEXT] = NONE;
  if (start !== NONE) words[SHIFT] = start * 1000n - BigInt(Math.floor(systemMs));
}

function priceWord(resource: (typeof RESOURCES)[number], unit: (typeof UNITS)[number]): number {
  return PRICES + (RESOURCES.indexOf(resource) * UNITS.length + UNITS.indexOf(unit)) * 2;
}

/** @returns `undefined` if the price is not set: a set price is never 0 */
function readPrice(
  words: BigInt64Array,
  resource: (typeof RESOURCES)[number],
  unit: (typeof UNITS)[number],
): bigint | undefined {
  const at = priceWord(resource, unit);
  const low = BigInt.asUintN(64, words[at] ?? 0n);
  const price = low + (BigInt.asUintN(64, words[at + 1] ?? 0n) << 64n);
  return price === 0n ? undefined : price;
}

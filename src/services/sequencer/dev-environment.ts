import { FIRST_WORD, SharedPage } from "#base/primitives/index.ts";
import type { GasPrices, ResourcePrice } from "#protocol/chain/index.ts";
import type { GasPriceChange } from "./control-messages.ts";

/**
 * Words of the page: whether blocks are held, the chain's first moment, the shift of the clock, the
 * moment of the next block, and two words for each price, the lower one first.
 */
const HELD = FIRST_WORD;
const START = HELD + 1;
const SHIFT = START + 1;
const NEXT = SHIFT + 1;
const PRICES = NEXT + 1;

const RESOURCES = ["l1Gas", "l1DataGas", "l2Gas"] as const;
const UNITS = ["wei", "fri"] as const;
const WORDS = PRICES + RESOURCES.length * UNITS.length * 2;

/** Stands for no moment. */
const NONE = -1n;

/**
 * Time and prices of a development chain as it was told to take them: one page of memory that all
 * threads share, so that what is estimated has the time and the prices of the block that is built.
 * One thread writes; the others never see half of a change.
 */
export class DevEnvironment {
  readonly #page: SharedPage;

  /** @param page - of {@link createDevPage} */
  constructor(page: SharedArrayBuffer) {
    this.#page = new SharedPage(page);
  }

  /** Whether blocks are made on request only, whatever the settings say. */
  isHeld(): boolean {
    return Atomics.load(this.#page.words, HELD) !== 0n;
  }

  /** Has blocks made on request only, or as the settings say; over a {@link reset}, too. Any thread may. */
  hold(isHeld: boolean): void {
    Atomics.store(this.#page.words, HELD, isHeld ? 1n : 0n);
  }

  /** The chain's time in Unix milliseconds, when the system's clock says `systemMs`. */
  nowMs(systemMs: number): number {
    const { shiftMs, nextMs } = this.#page.read((words) => ({
      shiftMs: words[SHIFT] ?? 0n,
      nextMs: words[NEXT] ?? NONE,
    }));
    return nextMs === NONE ? systemMs + Number(shiftMs) : Number(nextMs);
  }

  /** `prices` with those that were set in their place. */
  priced(prices: GasPrices): GasPrices {
    return this.#page.read((words) => {
      const price = (resource: (typeof RESOURCES)[number]): ResourcePrice => ({
        wei: readPrice(words, resource, "wei") ?? prices[resource].wei,
        fri: readPrice(words, resource, "fri") ?? prices[resource].fri,
      });
      return { l1Gas: price("l1Gas"), l1DataGas: price("l1DataGas"), l2Gas: price("l2Gas") };
    });
  }

  /** The next block is opened at `timestamp` (Unix seconds); the clock goes on from there. */
  setTime(timestamp: number, systemMs: number): void {
    this.#page.write((words) => {
      words[NEXT] = BigInt(timestamp) * 1000n;
      words[SHIFT] = BigInt(timestamp) * 1000n - BigInt(Math.floor(systemMs));
    });
  }

  /**
   * Goes on from the newest block: of a chain with a time of its own in any case, of another one where
   * it is ahead of the system's.
   */
  resume(timestamp: number, systemMs: number): void {
    this.#page.write((words) => {
      const aheadMs = BigInt(timestamp) * 1000n - BigInt(Math.floor(systemMs));
      words[SHIFT] = aheadMs > 0n || words[START] !== NONE ? aheadMs : 0n;
    });
  }

  /** The chain's first moment, else the system's clock, and the prices of the chain: nothing is set. */
  reset(systemMs: number): void {
    this.#page.write((words) => begin(words, words[START] ?? NONE, systemMs));
  }

  /** Puts the clock forward. */
  increaseTime(seconds: number): void {
    this.#page.write((words) => {
      const stepMs = BigInt(seconds) * 1000n;
      words[SHIFT] = (words[SHIFT] ?? 0n) + stepMs;
      const nextMs = words[NEXT] ?? NONE;
      if (nextMs !== NONE) words[NEXT] = nextMs + stepMs;
    });
  }

  /** A block was opened: the moment that was set for it is over. */
  opened(): void {
    if (this.#page.words[NEXT] === NONE) return;
    this.#page.write((words) => {
      words[NEXT] = NONE;
    });
  }

  /** Sets prices above 0 and below 2^128; what the change does not name stays. */
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
 * A page on which nothing is set.
 *
 * @param startTime - the chain's time is its own and is this at `systemMs`, Unix seconds; `null`: it is
 *   the system's
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

/** @returns `undefined` for a price that was not set: none is 0 */
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

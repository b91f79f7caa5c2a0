import { FIRST_WORD, SharedPage } from "#base/primitives/index.ts";
import { gasPricesOf, type L1Prices } from "./gas-price.ts";

/** Words of the page: whether prices are set, and two words for each value, the lower one first. */
const IS_SET = FIRST_WORD;
const VALUES = IS_SET + 1;
const WORDS = VALUES + 4 * 2;

/** Exclusive upper bound of a block's prices, in either unit. */
const PRICE_END = 1n << 128n;

/**
 * Newest L1 prices of the executor: one page of memory shared by all threads, so that estimates use the
 * prices of the next block. It outlives thread restarts. One thread writes; the others never see a partial
 * change.
 */
export class L1PricesPage {
  readonly #page: SharedPage;

  /** @param page - made by {@link createL1PricesPage} */
  constructor(page: SharedArrayBuffer) {
    this.#page = new SharedPage(page);
  }

  /** Returns the prices; `undefined` until they are set, while those of the node's start apply. */
  current(): L1Prices | undefined {
    return this.#page.read((words) => {
      if (words[IS_SET] === 0n) return undefined;
      return {
        l1GasWei: valueAt(words, 0),
        l1DataGasWei: valueAt(words, 1),
        friPerWei: { numerator: valueAt(words, 2), denominator: valueAt(words, 3) },
      };
    });
  }

  /** Sets prices that {@link priceFault} accepts. */
  set({ l1GasWei, l1DataGasWei, friPerWei }: L1Prices): void {
    const { numerator, denominator } = friPerWei;
    this.#page.write((words) => {
      for (const [i, value] of [l1GasWei, l1DataGasWei, numerator, denominator].entries()) {
        words[VALUES + 2 * i] = BigInt.asIntN(64, value);
        words[VALUES + 2 * i + 1] = BigInt.asIntN(64, value >> 64n);
      }
      words[IS_SET] = 1n;
    });
  }
}

/** Creates a page without prices. */
export function createL1PricesPage(): SharedArrayBuffer {
  return new SharedArrayBuffer(WORDS * 8);
}

/** Returns why no block can have these prices; `undefined` if they are valid. */
export function priceFault(prices: L1Prices): string | undefined {
  const { l1GasWei, l1DataGasWei, friPerWei } = prices;
  const { numerator, denominator } = friPerWei;
  if (denominator === 0n) return "the exchange rate has the denominator 0";
  const values = [l1GasWei, l1DataGasWei, numerator, denominator];
  if (values.some((value) => value < 0n)) return "a price is negative";
  const { l1Gas, l1DataGas } = gasPricesOf(prices, 1n);
  const all = [...values, l1Gas.fri, l1DataGas.fri];
  return all.some((value) => value >= PRICE_END) ? "a price has more than 128 bits" : undefined;
}

function valueAt(words: BigInt64Array, index: number): bigint {
  const low = BigInt.asUintN(64, words[VALUES + 2 * index] ?? 0n);
  return low + (BigInt.asUintN(64, words[VALUES + 2 * index + 1] ?? 0n) << 64n);
}

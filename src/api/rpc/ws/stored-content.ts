import type { BlockPortion } from "#engine/state/index.ts";
import type { ChainContext } from "../context.ts";
import { type BlockContent, Executed, type Place } from "./executed.ts";

/** Maximum cached portions: about the distance between subscribers that read at the same pace. */
const MAX_PORTIONS = 32;

/** Portion of a block, and its transactions as reported to subscribers. */
interface KnownPortion {
  readonly portion: BlockPortion;
  readonly finality: Place["finality"];
  readonly executed: Map<number, Executed>;
}

/**
 * Content of stored blocks, read in portions. Recent portions are cached with their encoded notices, so that
 * many subscribers that start at older blocks cost little more than one.
 */
export class StoredContents {
  readonly #context: ChainContext;
  /** Ordered by last use, oldest first. */
  #known = new Map<string, KnownPortion>();

  constructor(context: ChainContext) {
    this.#context = context;
  }

  /** Returns the content of an accepted block; it is read on demand. */
  of(blockNumber: number): BlockContent {
    let current: KnownPortion | undefined;
    return {
      executed: (index, place) => {
        if (current === undefined || !has(current, index, place)) {
          current = this.#find(blockNumber, index, place);
        }
        return current && executedAt(current, index, place);
      },
    };
  }

  /** Evicts all portions: no subscription needs older blocks. */
  clear(): void {
    if (this.#known.size > 0) this.#known = new Map();
  }

  #find(blockNumber: number, index: number, place: Place): KnownPortion | undefined {
    for (const [key, known] of this.#known) {
      if (!key.startsWith(`${blockNumber}:`) || !has(known, index, place)) continue;
      this.#known.delete(key);
      this.#known.set(key, known);
      return known;
    }
    const portion = this.#context.chain.portionAt({ blockNumber, index });
    if (portion === undefined) return undefined;
    const { finality } = place;
    const known: KnownPortion = { portion, finality, executed: new Map() };
    this.#known.set(`${blockNumber}:${portion.firstIndex}:${finality}`, known);
    if (this.#known.size > MAX_PORTIONS) {
      const [oldest = ""] = this.#known.keys();
      this.#known.delete(oldest);
    }
    return known;
  }
}

function has({ portion, finality }: KnownPortion, index: number, place: Place): boolean {
  const { firstIndex, count } = portion;
  return finality === place.finality && index >= firstIndex && index < firstIndex + count;
}

function executedAt(
  { portion, executed }: KnownPortion,
  index: number,
  place: Place,
): Executed | undefined {
  const known = executed.get(index);
  if (known !== undefined) return known;
  const receipt = portion.receiptAt(index);
  if (receipt === undefined) return undefined;
  const transaction = new Executed(() => portion.transactionAt(index), receipt, {
    ...place,
    index,
  });
  executed.set(index, transaction);
  return transaction;
}

import type { ChainReader } from "#engine/state/index.ts";
import type { IndexedBlock, IndexPosition } from "#io/storage/index.ts";
import { explorerRows } from "./block-rows.ts";

/** Chain that the index is made of: stored blocks only, on a fork those above the fork block. */
export type IndexedChain = Pick<
  ChainReader,
  "snapshot" | "latestNumber" | "oldestBlock" | "header" | "transactions" | "receipts" | "stateDiff"
>;

/** Sizes at which a batch ends: a few tens of milliseconds of work. */
const MAX_BLOCKS = 200;
const MAX_TRANSACTIONS = 500;

/** Blocks to add to the index, or the finding that the newest indexed block is not on the chain. */
export type Batch =
  | { readonly kind: "blocks"; readonly blocks: readonly IndexedBlock[] }
  | { readonly kind: "otherParent" };

/**
 * Reads the next blocks up to `head`, a limited number.
 *
 * @param newest - newest indexed block; `undefined` if none is
 */
export function readBatch(
  chain: IndexedChain,
  newest: IndexPosition | undefined,
  from: number,
  head: number,
): Batch {
  const blocks: IndexedBlock[] = [];
  let parent = newest?.hash;
  let transactionCount = 0;
  for (let number = from; number <= head; number++) {
    if (blocks.length >= MAX_BLOCKS || transactionCount >= MAX_TRANSACTIONS) break;
    const block = chain.snapshot(() => {
      const header = chain.header(number);
      const stateDiff = chain.stateDiff(number);
      if (header === undefined || stateDiff === undefined) return undefined;
      const [transactions, receipts] = [chain.transactions(number), chain.receipts(number)];
      return { header, transactions, receipts, stateDiff };
    });
    if (block === undefined) break;
    if (parent !== undefined && block.header.parentHash !== parent) return { kind: "otherParent" };
    blocks.push(explorerRows(block));
    parent = block.header.hash;
    transactionCount += block.transactions.length;
  }
  return { kind: "blocks", blocks };
}

import { rowsOfBlocks, type TransactionRow } from "./transaction-table.tsx";
import { blocksFrom } from "../rpc/blocks.ts";
import { type JsonObject, numberOf, textOf } from "../rpc/json.ts";

/** Most transactions that are kept, and the most blocks that are searched for them. */
const KEPT = 100;
const MOST_BLOCKS = 500;
/** Blocks of one request: the first is small, because new blocks mostly have enough. */
const FIRST_BATCH = 20;
const BATCH = 100;

/** Latest transactions of the chain. */
export interface LatestTransactions {
  /** Newest first, at most 100. */
  readonly rows: readonly TransactionRow[];
  /** Oldest block that was searched. */
  readonly from: number;
}

interface Kept extends LatestTransactions {
  readonly newest: number;
  readonly hash: string;
}

let kept: Kept | null = null;

/**
 * Returns the latest transactions of the chain up to a block. Blocks of an earlier request are not loaded again, unless
 * the chain was reverted.
 *
 * @param newest - number of the newest block
 */
export async function latestTransactions(newest: number): Promise<LatestTransactions> {
  const rows: TransactionRow[] = [];
  let hash = "";
  let next = newest;
  while (next >= 0 && newest - next < MOST_BLOCKS && rows.length < KEPT) {
    const blocks = await blocksFrom(
      next,
      next === newest ? FIRST_BATCH : BATCH,
      "starknet_getBlockWithReceipts",
    );
    if (blocks.length === 0) break;
    if (next === newest) hash = textOf(blocks[0]?.["block_hash"]);
    const known: Kept | null = kept;
    const at = known === null ? -1 : blocks.findIndex((block) => isNewest(block, known));
    if (known !== null && at !== -1) {
      rows.push(...rowsOfBlocks(blocks.slice(0, at)), ...known.rows);
      next = known.from - 1;
    } else {
      rows.push(...rowsOfBlocks(blocks));
      next = (numberOf(blocks.at(-1)?.["block_number"]) ?? 0) - 1;
    }
  }
  kept = { rows: rows.slice(0, KEPT), from: next + 1, newest, hash };
  return kept;
}

function isNewest(block: JsonObject, { newest, hash }: Kept): boolean {
  return block["block_number"] === newest && textOf(block["block_hash"]) === hash;
}

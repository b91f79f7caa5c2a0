import { feltText } from "../abi/felt.ts";
import { blocksFrom } from "../rpc/blocks.ts";
import { l2GasOf } from "../rpc/gas.ts";
import { type JsonObject, numberOf, textOf } from "../rpc/json.ts";
import { revision } from "../state/chain.ts";
import { rowsOfBlocks, type TransactionRow } from "./transaction-table.tsx";

/** Block with what lists show of it. */
export interface RecentBlock {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Block without its transactions. */
  readonly header: JsonObject;
  readonly l2Gas: number;
  /** Its transactions, newest first. */
  readonly rows: readonly TransactionRow[];
}

/** How many blocks or transactions a view needs. */
export interface Wanted {
  readonly blocks: number;
  readonly transactions: number;
}

/** Most blocks that are kept and searched. */
const MOST = 500;
/** Blocks of the first and of later requests. */
const FIRST = 10;
const BATCH = 100;

/** Contiguous blocks, newest first. */
let kept: readonly RecentBlock[] = [];
/** State of the chain in which they were loaded. */
let keptAt = -1;
/** Requests run one after another: the second view uses what the first has loaded. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Returns the newest blocks of the chain, newest first: as many as wanted, at most 500. Blocks that were loaded earlier
 * are loaded again only after a revert: they link to the new ones by their hashes.
 *
 * @param newest - number of the newest block
 */
export function recentBlocks(newest: number, wanted: Wanted): Promise<readonly RecentBlock[]> {
  const loading = last.then(
    () => load(newest, wanted),
    () => load(newest, wanted),
  );
  last = loading;
  return loading;
}

async function load(newest: number, wanted: Wanted): Promise<readonly RecentBlock[]> {
  const at = revision.value;
  const blocks: RecentBlock[] = keptAt === at && kept[0]?.number === newest ? [...kept] : [];
  let next = (blocks.at(-1)?.number ?? newest + 1) - 1;
  while (next >= 0 && blocks.length < MOST && !isEnough(blocks, wanted)) {
    const parent = blocks.at(-1)?.parentHash;
    const from = kept.findIndex(({ number, hash }) => number === next && hash === parent);
    if (from !== -1) blocks.push(...kept.slice(from));
    else blocks.push(...(await loadFrom(next, blocks.length === 0 ? FIRST : BATCH)));
    const oldest = blocks.at(-1)?.number ?? next + 1;
    if (oldest > next) break;
    next = oldest - 1;
  }
  kept = blocks.slice(0, MOST);
  keptAt = at;
  return kept;
}

async function loadFrom(newest: number, most: number): Promise<readonly RecentBlock[]> {
  const known = kept[0]?.number ?? -1;
  const count = known <= newest && known >= 0 ? Math.min(most, newest - known || 1) : most;
  const blocks = await blocksFrom(newest, count, "starknet_getBlockWithReceipts");
  // A block that the node lost meanwhile ends the list.
  const end = blocks.findIndex((block, i) => block["block_number"] !== newest - i);
  return blocks.slice(0, end === -1 ? blocks.length : end).map((block) => recentOf(block));
}

function recentOf(block: JsonObject): RecentBlock {
  const { transactions: _, ...header } = block;
  return {
    number: numberOf(block["block_number"]) ?? 0,
    hash: feltText(textOf(block["block_hash"])),
    parentHash: feltText(textOf(block["parent_hash"])),
    header,
    l2Gas: l2GasOf(block),
    rows: rowsOfBlocks([block]),
  };
}

function isEnough(blocks: readonly RecentBlock[], wanted: Wanted): boolean {
  const transactions = blocks.reduce((sum, { rows }) => sum + rows.length, 0);
  return blocks.length >= wanted.blocks && transactions >= wanted.transactions;
}

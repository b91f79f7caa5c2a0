import type { ApiClient } from "./api-client.ts";
import { type Json, type JsonObject, listOf, numberOf, objectOf, textOf } from "./json.ts";

/** Block as `api/blocks` has it, with what views and the list itself read of it. */
export interface RecentBlock {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly block: JsonObject;
  /** The newest of its transactions, newest first, as items of `api/…`. */
  readonly transactions: readonly Json[];
}

/** How many blocks and transactions a view needs. */
export interface Wanted {
  readonly blocks: number;
  readonly transactions: number;
}

/** Most blocks that are kept and searched. */
const MOST = 500;
/** Blocks of the first and of later requests. */
const FIRST = 10;
const BATCH = 100;

/** The newest blocks of the chain with its newest transactions, for one page. */
export class RecentBlocks {
  readonly #api: Pick<ApiClient, "get">;
  readonly #transactions: number;
  /** Contiguous blocks, newest first. */
  #kept: readonly RecentBlock[] = [];
  /** State of the chain in which they were loaded. */
  #keptAt = -1;
  /** Requests run one after another: the second view uses what the first has loaded. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param transactions - most transactions that a view needs, from 0 to 100 */
  constructor(api: Pick<ApiClient, "get">, transactions: number) {
    this.#api = api;
    this.#transactions = transactions;
  }

  /**
   * Returns the newest blocks, newest first: as many as wanted, at most 500. Blocks that were loaded earlier are loaded
   * again only after a revert: they link to the new ones by their hashes.
   *
   * @param newest - number of the newest block
   * @param revision - state of the chain, as the page knows it
   * @throws {PageError} when the node does not respond
   */
  load(newest: number, revision: number, wanted: Wanted): Promise<readonly RecentBlock[]> {
    const loading = this.#last.then(
      () => this.#load(newest, revision, wanted),
      () => this.#load(newest, revision, wanted),
    );
    this.#last = loading;
    return loading;
  }

  async #load(newest: number, revision: number, wanted: Wanted): Promise<readonly RecentBlock[]> {
    const kept = this.#kept;
    const isCurrent = this.#keptAt === revision && kept[0]?.number === newest;
    const blocks: RecentBlock[] = isCurrent ? [...kept] : [];
    let next = (blocks.at(-1)?.number ?? newest + 1) - 1;
    while (next >= 0 && blocks.length < MOST && !isEnough(blocks, wanted)) {
      const parent = blocks.at(-1)?.parentHash;
      const from = kept.findIndex(({ number, hash }) => number === next && hash === parent);
      if (from !== -1) blocks.push(...kept.slice(from));
      else blocks.push(...(await this.#loadFrom(next, blocks.length === 0 ? FIRST : BATCH)));
      const oldest = blocks.at(-1)?.number ?? next + 1;
      if (oldest > next) break;
      next = oldest - 1;
    }
    this.#kept = blocks.slice(0, MOST);
    this.#keptAt = revision;
    return this.#kept;
  }

  async #loadFrom(newest: number, most: number): Promise<readonly RecentBlock[]> {
    const known = this.#kept[0]?.number ?? -1;
    const count = known <= newest && known >= 0 ? Math.min(most, newest - known || 1) : most;
    const blocks = await blocksBelow(this.#api, newest + 1, count, this.#transactions);
    // A block that the node lost meanwhile ends the list.
    const end = blocks.findIndex((block, i) => block["block_number"] !== newest - i);
    return blocks.slice(0, end === -1 ? blocks.length : end).map((block) => recentOf(block));
  }
}

/**
 * Loads blocks below a number, newest first, with the newest of their transactions.
 *
 * @param count - of blocks, from 1 to 100
 * @param transactions - of all these blocks together, from 0 to 100
 * @throws {PageError} when the node does not respond
 */
export async function blocksBelow(
  api: Pick<ApiClient, "get">,
  number: number,
  count: number,
  transactions: number,
): Promise<readonly JsonObject[]> {
  const { items } = await api.get("blocks", {
    after: String(number),
    limit: String(count),
    transactions: String(transactions),
  });
  return listOf(items).map((item) => objectOf(item));
}

function recentOf(block: JsonObject): RecentBlock {
  return {
    number: numberOf(block["block_number"]) ?? 0,
    hash: textOf(block["block_hash"]),
    parentHash: textOf(block["parent_hash"]),
    block,
    transactions: listOf(block["transactions"]),
  };
}

function isEnough(blocks: readonly RecentBlock[], wanted: Wanted): boolean {
  const count = blocks.reduce((sum, { transactions }) => sum + transactions.length, 0);
  return blocks.length >= wanted.blocks && count >= wanted.transactions;
}

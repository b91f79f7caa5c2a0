import { type JsonObject, objectOf, textOf } from "./json.ts";
import { PageError } from "./page-error.ts";
import type { RpcClient } from "./rpc-client.ts";

/** Method that returns a block. */
export type BlockMethod = "starknet_getBlockWithTxHashes" | "starknet_getBlockWithReceipts";

/** Most blocks that are kept; a block with receipts may have a megabyte. */
const MAX_BLOCKS = 32;

/** Time after which a block is requested again, since it may be accepted on L1 by now; milliseconds. */
const KEPT_MS = 30_000;

interface Kept {
  readonly block: JsonObject;
  readonly untilMs: number;
}

/**
 * Loads blocks, and keeps accepted ones for a while: a live list of ten blocks then requests one of them for each new
 * block. Its owner calls {@link forget} when blocks may have been replaced.
 */
export class BlockCache {
  readonly #rpc: Pick<RpcClient, "batch">;
  readonly #nowMs: () => number;
  readonly #kept = new Map<string, Kept>();
  #generation = 0;

  constructor(rpc: Pick<RpcClient, "batch">, nowMs: () => number) {
    this.#rpc = rpc;
    this.#nowMs = nowMs;
  }

  /**
   * Loads blocks from `newest` downwards, at most `count`; numbers below 0 and unknown ones are skipped.
   *
   * @throws {PageError} when no block could be loaded
   */
  async from(newest: number, count: number, method: BlockMethod): Promise<readonly JsonObject[]> {
    const numbers = Array.from({ length: count }, (_, i) => newest - i).filter(
      (number) => number >= 0,
    );
    const generation = this.#generation;
    const nowMs = this.#nowMs();
    const found = new Map<number, JsonObject | PageError>();
    for (const number of numbers) {
      const kept = this.#kept.get(`${method} ${number}`);
      if (kept !== undefined && kept.untilMs > nowMs) found.set(number, kept.block);
    }
    const missing = numbers.filter((number) => !found.has(number));
    const results = await this.#rpc.batch(
      missing.map((number) => ({ method, params: { block_id: { block_number: number } } })),
    );
    for (const [i, number] of missing.entries()) {
      const result = results[i] ?? null;
      if (result instanceof PageError) {
        found.set(number, result);
        continue;
      }
      const block = objectOf(result);
      found.set(number, block);
      if (generation === this.#generation) this.#keep(`${method} ${number}`, block, nowMs);
    }
    const blocks = numbers.map((number) => found.get(number));
    const loaded = blocks.flatMap((one) =>
      one === undefined || one instanceof PageError ? [] : [one],
    );
    const [failed] = blocks;
    if (loaded.length === 0 && failed instanceof PageError) throw failed;
    return loaded;
  }

  /** Drops all blocks, also those of requests that are not answered yet. */
  forget(): void {
    this.#generation++;
    this.#kept.clear();
  }

  #keep(key: string, block: JsonObject, nowMs: number): void {
    // A block that is not accepted yet still grows.
    if (textOf(block["block_hash"]) === "") return;
    this.#kept.delete(key);
    this.#kept.set(key, { block, untilMs: nowMs + KEPT_MS });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_BLOCKS && oldest !== undefined) this.#kept.delete(oldest);
  }
}

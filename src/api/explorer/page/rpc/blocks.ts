import { connection, head, lastReorg, rpc } from "../state/chain.ts";
import { BlockCache, type BlockMethod } from "./block-cache.ts";
import { type JsonObject, numberOf } from "./json.ts";
import { PageError } from "./page-error.ts";

const cache = new BlockCache(rpc, Date.now);

/** Drops kept blocks when the chain was reverted, or may have been: the page does not learn of it without a connection. */
export function followReverts(): void {
  lastReorg.observe(() => cache.forget());
  connection.observe(() => cache.forget());
}

/** As {@link BlockCache.from}. */
export function blocksFrom(
  newest: number,
  count: number,
  method: BlockMethod,
): Promise<readonly JsonObject[]> {
  return cache.from(newest, count, method);
}

/** Returns the number of the newest block, that of the node's last notification if the page is connected; `null` on an empty chain. */
export async function newestBlock(): Promise<number | null> {
  const announced = numberOf(head.value?.["block_number"]);
  if (announced !== null && connection.value === "open") return announced;
  try {
    const number = await rpc.call("starknet_blockNumber");
    return typeof number === "number" ? number : null;
  } catch (error) {
    // 32: the chain has no block.
    if (error instanceof PageError && error.code === 32) return null;
    throw error;
  }
}

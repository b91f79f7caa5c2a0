import { connection, head, rpc } from "../state/chain.ts";
import { type JsonObject, numberOf, objectOf } from "./json.ts";
import { PageError } from "./page-error.ts";

/** Loads blocks with receipts from `newest` downwards, at most `count`; numbers below 0 are skipped. */
export async function blocksFrom(
  newest: number,
  count: number,
  method: "starknet_getBlockWithTxHashes" | "starknet_getBlockWithReceipts",
): Promise<readonly JsonObject[]> {
  const numbers = Array.from({ length: count }, (_, i) => newest - i).filter(
    (number) => number >= 0,
  );
  const results = await rpc.batch(
    numbers.map((number) => ({ method, params: { block_id: { block_number: number } } })),
  );
  const blocks = results.flatMap((one) => (one instanceof PageError ? [] : [objectOf(one)]));
  const [failed] = results;
  if (blocks.length === 0 && failed instanceof PageError) throw failed;
  return blocks;
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

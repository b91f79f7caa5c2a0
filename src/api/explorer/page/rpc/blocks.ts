import { connection, head, rpc } from "../state/chain.ts";
import { numberOf } from "./json.ts";
import { PageError } from "./page-error.ts";

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

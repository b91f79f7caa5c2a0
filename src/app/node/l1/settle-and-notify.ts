import type { ChainView } from "../storage/chain/chain-view.ts";
import type { L1RolePorts } from "./l1-connection.ts";

/** Stores that a block is accepted on L1, then notifies subscribers of it. */
export function settleAndNotify(
  settle: L1RolePorts["settle"],
  { live }: Pick<ChainView, "live">,
): L1RolePorts["settle"] {
  return async (blockNumber, blockHash) => {
    const isDone = await settle(blockNumber, blockHash);
    if (isDone) live.settled(blockNumber);
    return isDone;
  };
}

import type { MainContext } from "../context.ts";

/** How far the node is; `lagBlocks` counts the blocks that it knows of and does not have yet. */
export interface Readiness {
  readonly ready: boolean;
  readonly blockNumber: number | undefined;
  readonly lagBlocks: number;
  /** Why it is not ready. */
  readonly reason?: string;
}

/** Readiness as the chain and the synchronization tell it: ready once there is a block. */
export function readinessOf(context: Pick<MainContext, "chain" | "syncStatus">): Readiness {
  const blockNumber = context.chain.latestNumber();
  const status = context.syncStatus();
  const highest = status === false ? blockNumber : status.highestBlock.number;
  const lagBlocks = Math.max(0, (highest ?? -1) - (blockNumber ?? -1));
  return blockNumber === undefined
    ? { ready: false, blockNumber, lagBlocks, reason: "there are no blocks yet" }
    : { ready: true, blockNumber, lagBlocks };
}

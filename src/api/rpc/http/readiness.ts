import type { MainContext } from "../context.ts";

/** How far the node is; `lagBlocks` counts the blocks that it knows of and does not have yet. */
export interface Readiness {
  readonly ready: boolean;
  readonly blockNumber: number | undefined;
  readonly lagBlocks: number;
  /** It has what it follows, or follows nobody. */
  readonly isInSync: boolean;
  /** Why it is not ready. */
  readonly reason?: string;
  /** Why L1 is not followed at present; omitted where it is, or is off. */
  readonly l1NotFollowed?: string;
  /** Seconds since the source of blocks told its newest one; omitted by a node that follows nobody. */
  readonly sourceAgeSeconds?: number;
}

/** How a node stands to what it follows. */
export interface Following {
  /** Newest block that it knows of; `undefined`: none yet. */
  readonly highestBlock: number | undefined;
  /** It has all blocks, or had them and is hardly behind since. */
  readonly isInSync: boolean;
  /** Why nobody should ask it, however far it is; `undefined`: there is no reason. */
  readonly reason: string | undefined;
  /** Why L1 is not followed at present, which does not keep anybody from asking the node. */
  readonly l1NotFollowed?: string;
  /** Seconds since the source told its newest block; omitted when no more blocks are taken of it. */
  readonly sourceAgeSeconds?: number;
}

/**
 * Readiness as the chain and what is followed tell it: ready once there is a block, and nothing
 * is wrong with what it follows.
 *
 * @param following - `null`: it follows nobody
 */
export function readinessOf(
  chain: Pick<MainContext["chain"], "latestNumber">,
  following: Following | null,
): Readiness {
  const blockNumber = chain.latestNumber();
  const highest = following?.highestBlock ?? blockNumber;
  const lagBlocks = Math.max(0, (highest ?? -1) - (blockNumber ?? -1));
  const missing = blockNumber === undefined ? "there are no blocks yet" : undefined;
  const reason = following?.reason ?? missing;
  const isInSync = following?.isInSync ?? true;
  const { l1NotFollowed, sourceAgeSeconds } = following ?? {};
  return {
    ready: reason === undefined,
    ...{ blockNumber, lagBlocks, isInSync },
    ...(reason === undefined ? {} : { reason }),
    ...(l1NotFollowed === undefined ? {} : { l1NotFollowed }),
    ...(sourceAgeSeconds === undefined ? {} : { sourceAgeSeconds }),
  };
}

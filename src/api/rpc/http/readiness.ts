import type { MainContext } from "../context.ts";

/** Readiness of the node; `lagBlocks` counts the blocks that it knows of but does not have yet. */
export interface Readiness {
  readonly ready: boolean;
  readonly blockNumber: number | undefined;
  readonly lagBlocks: number;
  /** The node has caught up with its source, or follows none. */
  readonly isInSync: boolean;
  /** Reason why the node is not ready; omitted if it is ready. */
  readonly reason?: string;
  /** Reason why L1 is not followed at present; omitted if L1 is followed, or disabled. */
  readonly l1NotFollowed?: string;
  /**
   * Seconds since the block source last reported its newest block; omitted by a node that follows no source.
   */
  readonly sourceAgeSeconds?: number;
}

/** Progress of a node relative to its block source. */
export interface Following {
  /** Newest known block; `undefined` until there is one. */
  readonly highestBlock: number | undefined;
  /** The node has all blocks, or had them and is barely behind since. */
  readonly isInSync: boolean;
  /** Reason not to query the node, however many blocks it has; otherwise `undefined`. */
  readonly reason: string | undefined;
  /** Reason why L1 is not followed at present; the node can still be queried. */
  readonly l1NotFollowed?: string;
  /**
   * Seconds since the source last reported its newest block; omitted when no more blocks are taken from it.
   */
  readonly sourceAgeSeconds?: number;
}

/**
 * Derives readiness from the chain and the block source: a node is ready once it has a block and its source
 * reports no problem.
 *
 * @param following - `null` if the node follows no source
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

import { statfsSync, statSync } from "node:fs";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { AcceptedMessage, L1Prices } from "#services/sequencer/index.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeFiles } from "../setup/node-files.ts";

/**
 * Initializes the node's metrics.
 *
 * @param l1Prices - `null` if the node does not set prices
 * @param latest - newest accepted block; `undefined` if none
 */
export function startMetrics(
  metrics: NodeMetrics,
  { name, version, role, chain }: Pick<NodeOptions, "name" | "version" | "role" | "chain">,
  l1Prices: L1Prices | null,
  latest: number | undefined,
): void {
  metrics.nodeInfo.set({ name, version, role, chain_id: chain.chainId }, 1);
  metrics.l2BlockNumber.set(latest ?? -1);
  if (l1Prices === null) return;
  const { l1GasWei, friPerWei } = l1Prices;
  metrics.l1GasPriceWei.set(Number(l1GasWei));
  metrics.l1GasPriceStrk.set(Number((l1GasWei * friPerWei.numerator) / friPerWei.denominator));
}

/** Counts an accepted block. */
export function countBlock(accepted: AcceptedMessage, metrics: NodeMetrics): void {
  const { blockNumber, transactionCount, eventCount, commitSeconds } = accepted;
  metrics.l2BlockNumber.set(blockNumber);
  metrics.transactionCount.inc(transactionCount);
  metrics.eventCount.inc(eventCount);
  metrics.blockCommitSeconds.observe(commitSeconds);
}

/** Counts and logs an accepted block that this node produced. */
export function recordBlock(accepted: AcceptedMessage, metrics: NodeMetrics, log: Logger): void {
  const { blockNumber, transactionCount, commitSeconds } = accepted;
  countBlock(accepted, metrics);
  metrics.blockProductionSeconds.observe(accepted.productionSeconds);
  log.info(`block ${blockNumber} accepted`, {
    hash: hexFromFelt(accepted.blockHash),
    transactions: transactionCount,
    commit_ms: Math.round(commitSeconds * 1000),
  });
}

/** Size of the databases on disk, in bytes. */
export function databaseBytes(files: Pick<NodeFiles, "chainDatabase" | "mempoolDatabase">): number {
  let bytes = 0;
  for (const file of [files.chainDatabase, files.mempoolDatabase]) {
    for (const part of [file, `${file}-wal`]) {
      bytes += statSync(part, { throwIfNoEntry: false })?.size ?? 0;
    }
  }
  return bytes;
}

/** Bytes that this process may still write to the disk of a folder; 0 if unknown. */
export function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

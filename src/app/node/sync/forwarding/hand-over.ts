import { existsSync } from "node:fs";
import type { Timer } from "#base/primitives/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import { openMempoolStore } from "#io/storage/index.ts";
import { type HandOverCounts, handOver } from "#services/sync/index.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import { clientOptions } from "./forward-to.ts";
import { type LeaderAddress, LeaderGateway } from "./leader-gateway.ts";

/** Dependencies of {@link handOverMempool}. */
export interface HandOverMempoolDeps {
  readonly setup: Pick<NodeSetup, "config" | "files">;
  readonly leader: LeaderAddress;
  /** File with the key to send as `X-Throttling-Bypass`; `null` to send none. */
  readonly gatewayKeyFile: string | null;
  readonly chain: Pick<ChainReader, "locate">;
  readonly metrics: Pick<NodeMetrics, "sync">;
  /** Time limit for the hand-over, in milliseconds; `null` to continue until the mempool is empty. */
  readonly deadlineMs: number | null;
  readonly log: Logger;
  readonly timer: Timer;
  /** Aborts the hand-over; the file is closed immediately. */
  readonly signal: AbortSignal;
}

const NOTHING: HandOverCounts = { sent: 0, known: 0, refused: 0, kept: 0 };

/**
 * Forwards the transactions in the mempool's file to the leader, as {@link handOver}. No thread may have the
 * file open.
 *
 * @throws {StorageError} when the file cannot be opened or written
 * @throws {ConfigError} when the gateway key cannot be read
 */
export async function handOverMempool(deps: HandOverMempoolDeps): Promise<HandOverCounts> {
  const { setup, leader, gatewayKeyFile, chain, deadlineMs, log, timer, signal } = deps;
  const { files, config } = setup;
  // The file does not exist on a node that has always followed.
  if (signal.aborted || !existsSync(files.mempoolDatabase)) return NOTHING;
  const mempool = await openMempoolStore(files.mempoolDatabase, config.chainId);
  const ended = new AbortController();
  // Closed right away: after the abort a thread may open the file.
  const close = (): void => {
    if (ended.signal.aborted) return;
    ended.abort();
    mempool.close();
  };
  signal.addEventListener("abort", close);
  if (signal.aborted) close();
  try {
    const gateway = new LeaderGateway(leader, clientOptions(gatewayKeyFile, deps, ended.signal));
    const handed = await handOver({
      mempool,
      chain,
      gateway,
      deadlineMs,
      timer,
      unixNowMs: Date.now,
      signal: ended.signal,
    });
    if (Object.values(handed).some((count) => count > 0)) {
      log.info("forwarded waiting transactions to the leading sequencer", { ...handed });
    }
    return handed;
  } finally {
    signal.removeEventListener("abort", close);
    close();
  }
}

import { existsSync } from "node:fs";
import type { Timer } from "#base/primitives/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import { openMempoolStore } from "#io/storage/index.ts";
import { type HandedOver, handOver } from "#services/sync/index.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import { clientOptions } from "./forward-to.ts";
import { type LeaderAddress, LeaderGateway } from "./leader-gateway.ts";

/** What handing the mempool's file over works with. */
export interface HandOverMempoolDeps {
  readonly setup: Pick<NodeSetup, "config" | "files">;
  readonly leader: LeaderAddress;
  /** File with what is sent as `X-Throttling-Bypass`; `null`: nothing is. */
  readonly gatewayKeyFile: string | null;
  readonly chain: Pick<ChainReader, "locate">;
  readonly metrics: Pick<NodeMetrics, "sync">;
  /** Ends it, whatever still waits; `null`: it goes on until nothing does. */
  readonly deadlineMs: number | null;
  readonly log: Logger;
  readonly timer: Timer;
  /** Ends it; the file is closed at once. */
  readonly signal: AbortSignal;
}

const NOTHING: HandedOver = { sent: 0, known: 0, refused: 0, kept: 0 };

/**
 * Hands what waits in the mempool's file to whoever leads, as {@link handOver}. No thread has the file.
 *
 * @throws {StorageError} when the file cannot be opened or written
 * @throws {ConfigError} when the gateway key cannot be read
 */
export async function handOverMempool(deps: HandOverMempoolDeps): Promise<HandedOver> {
  const { setup, leader, gatewayKeyFile, chain, deadlineMs, log, timer, signal } = deps;
  const { files, config } = setup;
  // A node that has always followed has none.
  if (signal.aborted || !existsSync(files.mempoolDatabase)) return NOTHING;
  const mempool = await openMempoolStore(files.mempoolDatabase, config.chainId);
  const ended = new AbortController();
  // Whoever ends it may give the file to a thread.
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
      log.info("handed waiting transactions to the sequencer that leads", { ...handed });
    }
    return handed;
  } finally {
    signal.removeEventListener("abort", close);
    close();
  }
}

import type { GatewayObserver } from "#api/gateway/index.ts";
import type { RpcObserver, WsRpcObserver } from "#api/rpc/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { gatewayObserver } from "../gateway/gateway-observer.ts";
import { BlockAge } from "../metrics/block-age.ts";
import { GateReport } from "../production/reports/gate-report.ts";
import {
  countBlock,
  databaseBytes,
  freeBytes,
  recordBlock,
  startMetrics,
} from "../metrics/node-metrics.ts";
import { RejectionReport } from "../production/reports/rejection-report.ts";
import { RevertedTransactionsReport } from "../production/reports/reverted-transactions-report.ts";
import { SyncTimes } from "../sync/reports/sync-times.ts";
import { rpcObserver, wsRpcObserver } from "../query/rpc/rpc-observer.ts";

/** What a node tells of itself while it runs, in metrics and in the log. */
export interface NodeReports {
  readonly metrics: NodeMetrics;
  readonly rejections: RejectionReport;
  /** Of blocks that are made here. */
  readonly gate: GateReport;
  readonly observer: RpcObserver;
  /** Watches what is asked over WebSocket. */
  readonly webSocketObserver: WsRpcObserver;
  readonly gatewayObserver: GatewayObserver;
  /** A block that was made here was accepted. */
  accepted(block: AcceptedMessage): void;
  /** A block that was taken from a gateway was accepted. */
  imported(block: AcceptedMessage): void;
  /** The wall clock has moved by so many milliseconds more than time has passed; below 0: less. */
  clockJumped(byMs: number): void;
  /** Metrics are asked for: sets those that nobody tells of. */
  refresh(): void;
}

/**
 * Begins to report.
 *
 * @param latest - newest accepted block; `undefined` when there is none
 * @param disposables - log what was only counted
 */
export function startReports(
  options: NodeOptions,
  { l1Prices, follow, gate: gated, files }: NodeSetup,
  latest: number | undefined,
  {
    metrics,
    log,
    timer,
  }: { readonly metrics: NodeMetrics; readonly log: Logger; readonly timer: Timer },
  disposables: AsyncDisposableStack,
): NodeReports {
  startMetrics(metrics, options, follow === null ? l1Prices : null, latest);
  metrics.replication.leader.set(follow === null && gated === null ? 1 : 0);
  const blockAge = new BlockAge(timer);
  const syncTimes = new SyncTimes(metrics.sync, timer);
  const schedule = (work: () => void, delayMs: number): void => void timer.after(delayMs, work);
  const revertedTransactions = new RevertedTransactionsReport({ log, schedule });
  disposables.defer(() => revertedTransactions.flush());
  const count = (code: string): void => metrics.mempoolRejected.labels(code).inc();
  const rejections = new RejectionReport({ log, count, schedule });
  disposables.defer(() => rejections.flush());
  const gate = new GateReport({ log, metrics: metrics.replication, timer });
  return {
    metrics,
    rejections,
    gate,
    observer: rpcObserver(metrics, log),
    webSocketObserver: wsRpcObserver(metrics, log),
    gatewayObserver: gatewayObserver(metrics, log),
    accepted(block) {
      recordBlock(block, metrics, log);
      blockAge.accepted();
      revertedTransactions.add(block.blockNumber, block.revertedTransactions);
    },
    imported(block) {
      countBlock(block, metrics);
      syncTimes.imported();
      blockAge.accepted();
    },
    clockJumped(byMs) {
      metrics.clockJumps.inc();
      log.warn(
        "the wall clock has moved against the monotonic one: blocks go on by the monotonic one until the node is started again",
        { by_seconds: Math.round(byMs / 1000) },
      );
    },
    refresh() {
      gate.refresh();
      metrics.l2BlockAgeSeconds.set(blockAge.seconds());
      metrics.databaseSizeBytes.set(databaseBytes(files));
      metrics.diskFreeBytes.set(freeBytes(files.folder));
    },
  };
}

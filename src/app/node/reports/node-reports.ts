import type { GatewayObserver } from "#api/gateway/index.ts";
import type { RpcObserver, WsRpcObserver } from "#api/rpc/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { gatewayObserver } from "./gateway-observer.ts";
import { BlockAge } from "./block-age.ts";
import { GateReport } from "./gate-report.ts";
import { countBlock, databaseBytes, freeBytes, recordBlock, startMetrics } from "./node-metrics.ts";
import { RejectionReport } from "./rejection-report.ts";
import { RevertedTransactionsReport } from "./reverted-transactions-report.ts";
import { SyncTimes } from "./sync-times.ts";
import { rpcObserver, wsRpcObserver } from "./rpc-observer.ts";

/** Metrics and log reports of a running node. */
export interface NodeReports {
  readonly metrics: NodeMetrics;
  readonly rejections: RejectionReport;
  readonly gate: GateReport;
  readonly observer: RpcObserver;
  /** Observes requests over WebSocket. */
  readonly webSocketObserver: WsRpcObserver;
  readonly gatewayObserver: GatewayObserver;
  /** Reports an accepted block that this node produced. */
  accepted(block: AcceptedMessage): void;
  /** Reports an accepted block from a gateway. */
  imported(block: AcceptedMessage): void;
  /**
   * Reports a jump of the wall clock against the monotonic one, in milliseconds; negative if it moved back.
   */
  clockJumped(byMs: number): void;
  /** Updates metrics that no event maintains, before a scrape. */
  refresh(): void;
}

/**
 * Creates the reports.
 *
 * @param latest - newest accepted block; `undefined` if there is none
 * @param disposables - log the counts of suppressed lines at the end
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
        "the wall clock has jumped: blocks use the monotonic clock until the node restarts",
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

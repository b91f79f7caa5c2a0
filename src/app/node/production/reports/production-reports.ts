import type { ReportedRejection } from "#services/admission/index.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import type { BlockAge } from "../../metrics/block-age.ts";
import { recordBlock } from "../../metrics/node-metrics.ts";
import type { NodeHost } from "../../setup/node-host.ts";
import { GateReport } from "./gate-report.ts";
import { PostponedReport } from "./postponed-report.ts";
import { RejectionReport } from "./rejection-report.ts";
import { RevertedTransactionsReport } from "./reverted-transactions-report.ts";

/** Log lines and metrics of block production. They outlive changes of the role. */
export interface ProductionReports {
  /** Logs and counts rejected transactions. */
  readonly rejections: Pick<RejectionReport, "add">;
  readonly gate: GateReport;
  /** Transactions that wait for a fork's origin. */
  readonly postponed: PostponedReport;
  /** Records a block of this node that was accepted. */
  accepted(block: AcceptedMessage): void;
  /** Records a jump of the wall clock against the monotonic one, in milliseconds; negative: backwards. */
  clockJumped(byMs: number): void;
}

/**
 * Opens the reports. What they only counted is logged when the node stops.
 *
 * @param onRejected - also gets the rejected transactions
 */
export function openProductionReports(
  blockAge: BlockAge,
  onRejected: (rejections: readonly ReportedRejection[]) => void,
  { metrics, log, timer, disposables }: Pick<NodeHost, "metrics" | "log" | "timer" | "disposables">,
): ProductionReports {
  const schedule = (work: () => void, delayMs: number): void => void timer.after(delayMs, work);
  const revertedTransactions = new RevertedTransactionsReport({ log, schedule });
  disposables.defer(() => revertedTransactions.flush());
  const count = (code: string): void => metrics.mempoolRejected.labels(code).inc();
  const rejections = new RejectionReport({ log, count, schedule });
  disposables.defer(() => rejections.flush());
  return {
    rejections: {
      add(rejected) {
        rejections.add(rejected);
        onRejected(rejected);
      },
    },
    postponed: new PostponedReport(log),
    gate: new GateReport({ log, metrics: metrics.replication, timer }),
    accepted(block) {
      recordBlock(block, metrics, log);
      blockAge.accepted();
      revertedTransactions.add(block.blockNumber, block.revertedTransactions);
    },
    clockJumped(byMs) {
      metrics.clockJumps.inc();
      log.warn(
        "the wall clock has moved against the monotonic one: blocks go on by the monotonic one until the node is started again",
        { by_seconds: Math.round(byMs / 1000) },
      );
    },
  };
}

import type { ReportedRejection } from "#services/admission/index.ts";
import type { MetricsPart } from "../metrics/part.ts";
import {
  openProductionReports,
  type ProductionReports,
} from "../production/reports/production-reports.ts";
import type { NodeHost } from "../setup/node-host.ts";
import {
  type ImportReport,
  openImportReport,
  type RefusalListener,
} from "../sync/reports/import-report.ts";

/** Log lines and metrics about new blocks, of both kinds of roles. They outlive changes of the role. */
export interface BlockReports {
  readonly production: ProductionReports;
  readonly imports: ImportReport;
}

/** Keeps what was rejected and refused. */
export interface RejectionListener {
  /** Called with received transactions that will be in no block. */
  rejected(rejections: readonly ReportedRejection[]): void;
  /** Called with what a source's blocks are refused for. */
  refusedBlock(...refusal: Parameters<RefusalListener>): void;
}

/**
 * Creates the reports of produced and imported blocks, which feed the log, the metrics and `/ready` in every
 * role.
 *
 * @param rejections - keeps what they report as rejected and refused
 */
export function openBlockReports(
  metrics: Pick<MetricsPart, "blockAge" | "onScrape">,
  rejections: RejectionListener,
  host: Pick<NodeHost, "metrics" | "log" | "timer" | "disposables">,
): BlockReports {
  const production = openProductionReports(
    metrics.blockAge,
    (rejected) => rejections.rejected(rejected),
    host,
  );
  const imports = openImportReport(
    metrics.blockAge,
    (...refusal) => rejections.refusedBlock(...refusal),
    host,
  );
  metrics.onScrape(() => production.gate.refresh());
  return { production, imports };
}

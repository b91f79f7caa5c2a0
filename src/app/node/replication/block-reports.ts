import type { MetricsPart } from "../metrics/part.ts";
import {
  openProductionReports,
  type ProductionReports,
} from "../production/reports/production-reports.ts";
import type { Rejections } from "../explorer/rejections/rejections.ts";
import type { NodeHost } from "../setup/node-host.ts";
import { type ImportReport, openImportReport } from "../sync/reports/import-report.ts";

/** Log lines and metrics about new blocks, of both kinds of roles. They outlive changes of the role. */
export interface BlockReports {
  readonly production: ProductionReports;
  readonly imports: ImportReport;
}

/**
 * Creates the reports of produced and imported blocks, which feed the log, the metrics and `/ready` in every
 * role.
 *
 * @param rejections - keeps what they report as rejected and refused
 */
export function openBlockReports(
  metrics: Pick<MetricsPart, "blockAge" | "onScrape">,
  rejections: Pick<Rejections, "rejected" | "refusedBlock">,
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

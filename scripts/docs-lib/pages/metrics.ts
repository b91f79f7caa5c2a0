import { createNodeMetrics } from "#base/metrics/metrics.ts";
import { code, table } from "../markdown.ts";
import { type Page, parts } from "../page.ts";

/** Every metric that a node registers. */
export async function metricsTable(): Promise<string> {
  const { registry } = createNodeMetrics();
  const declared = await registry.getMetricsAsJSON();
  const rows = declared.map(({ name, type, help }) => {
    const { labelNames = [] } = registry.getSingleMetric(name) as { labelNames?: string[] };
    return [code(name), String(type), labelNames.map(code).join(", "), help];
  });
  return table(["metric", "type", "labels", "meaning"], rows);
}

/** The metrics for Prometheus. */
export const metricsPage: Page = {
  file: "metrics.md",
  title: "Metrics",
  from: "src/base/metrics/metrics.ts",
  body: async () =>
    parts(
      "`GET /metrics` on `--metrics-port` (9615) responds in Prometheus' text format. Times are seconds, sizes bytes; counters start at 0 with the process. While L1 is not followed, its metrics stay 0.",
      await metricsTable(),
    ),
};

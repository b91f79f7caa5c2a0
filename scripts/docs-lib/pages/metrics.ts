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

/** What Prometheus is told. */
export const metricsPage: Page = {
  file: "metrics.md",
  title: "Metrics",
  from: "src/base/metrics/metrics.ts",
  body: async () =>
    parts(
      "`GET /metrics` on `--metrics-port` (9615) answers in Prometheus' text form. Times are seconds, sizes bytes; counters start at 0 with the process. Where L1 is not followed, what is told of it stays 0.",
      await metricsTable(),
    ),
};

import { describe, expect, test } from "bun:test";
import { createNodeMetrics } from "#base/telemetry/metrics.ts";
import { metricsTable } from "../../../scripts/docs-lib/pages/metrics.ts";

const rows = (await metricsTable()).split("\n");

describe("the page of metrics", () => {
  const { registry } = createNodeMetrics();
  for (const { name } of registry.getMetricsAsArray()) {
    test(`has ${name} with type, labels and meaning`, () => {
      const { help, labelNames = [] } = registry.getSingleMetric(name) as unknown as {
        help: string;
        labelNames?: string[];
      };
      const row = rows.find((line) => line.startsWith(`| \`${name}\` | `));
      expect(row).toMatch(/^\| `\w+` \| (gauge|counter|histogram) \| /);
      expect(row).toEndWith(`| ${help} |`);
      for (const label of labelNames) expect(row).toContain(`\`${label}\``);
    });
  }
});

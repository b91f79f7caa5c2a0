import { expect, test } from "bun:test";
import { MetricsPart } from "#app/node/metrics/part.ts";
import { BlockAge } from "#app/node/metrics/block-age.ts";
import { openMetricsListener } from "#app/node/metrics/metrics-server.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { nodeHost } from "#test/helpers/node-host.ts";

/** The metrics of a node, and its log. */
function world() {
  const lines: string[] = [];
  const host = nodeHost({
    log: createLogger({ level: "info", format: "text", write: (line) => lines.push(line) }),
  });
  return { part: new MetricsPart(new BlockAge(host.timer), host), host, lines };
}

test("runs the work of every part before it answers a scrape", async () => {
  const { part, host, lines } = world();
  const listener = openMetricsListener({ host: "127.0.0.1", port: 0 });
  try {
    part.onScrape(() => host.metrics.clientBytes.set(17));
    part.onScrape(() => host.metrics.l2BlockNumber.set(8));
    const url = part.serve(listener);
    const text = await (await fetch(url ?? "")).text();
    expect(text).toMatch(/^appchain_l2_block_number 8$/m);
    expect(text).toMatch(/ 17$/m);
    expect(lines.join("")).toContain(`metrics endpoint at ${url}`);
  } finally {
    await listener.stop(0, () => undefined);
  }
});

test("logs that there is no endpoint without an address", () => {
  const { part, lines } = world();
  expect(part.serve(null)).toBeNull();
  expect(lines.join("")).toContain("metrics endpoint: off");
});

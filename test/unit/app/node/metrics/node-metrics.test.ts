import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { databaseBytes, recordBlock, startMetrics } from "#app/node/metrics/node-metrics.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const L1 = {
  l1GasWei: 9n,
  l1DataGasWei: 1n,
  friPerWei: { numerator: 2n, denominator: 3n },
} as const;

async function metricsAt(latest: number | undefined) {
  const { config: chain } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
  const metrics = createNodeMetrics();
  startMetrics(metrics, { name: "n", version: "v", role: "sequencer", chain }, L1, latest);
  const value = async (name: string) =>
    (await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value;
  return { metrics, value, chain };
}

test("describe the node, its newest block and L1 gas prices at start", async () => {
  const { metrics, value, chain } = await metricsAt(4);
  expect((await metrics.nodeInfo.get()).values).toEqual([
    { value: 1, labels: { name: "n", version: "v", role: "sequencer", chain_id: chain.chainId } },
  ]);
  expect(await value("appchain_l2_block_number")).toBe(4);
  expect(await value("appchain_l1_gas_price")).toBe(9);
  expect(await value("appchain_l1_gas_price_strk")).toBe(6);
});

test("report block -1 before the first block", async () => {
  expect(await (await metricsAt(undefined)).value("appchain_l2_block_number")).toBe(-1);
});

test("count and log an accepted block", async () => {
  const { metrics, value } = await metricsAt(4);
  const lines: string[] = [];
  const log = createLogger({ level: "info", format: "text", write: (line) => lines.push(line) });
  recordBlock(
    {
      kind: "accepted",
      blockNumber: 5,
      blockHash: 0xabcn,
      transactionCount: 3,
      eventCount: 7,
      revertedTransactions: { count: 0, first: [] },
      productionSeconds: 2,
      commitSeconds: 0.25,
    },
    metrics,
    log,
  );
  expect(await value("appchain_l2_block_number")).toBe(5);
  expect(await value("appchain_transaction_count")).toBe(3);
  expect(await value("appchain_event_count")).toBe(7);
  const seconds = async (name: string) =>
    (await metrics.registry.getMetricsAsJSON())
      .flatMap((metric) => (metric.name === name ? metric.values : []))
      .find((found) => "metricName" in found && found.metricName === `${name}_sum`)?.value;
  expect(await seconds("appchain_block_production_seconds")).toBe(2);
  expect(await seconds("appchain_block_commit_seconds")).toBe(0.25);
  expect(lines.join("")).toMatch(/block 5 accepted.*0xabc.*3.*250/);
});

test("sum the sizes of existing database files", () => {
  using folder = temporaryFolder();
  const files = { chainDatabase: folder.file("c.db"), mempoolDatabase: folder.file("m.db") };
  expect(databaseBytes(files)).toBe(0);
  writeFileSync(files.chainDatabase, "1");
  writeFileSync(`${files.chainDatabase}-wal`, "22");
  writeFileSync(files.mempoolDatabase, "4444");
  writeFileSync(`${files.mempoolDatabase}-wal`, "88888888");
  expect(databaseBytes(files)).toBe(15);
});

import { expect, test } from "bun:test";
import { statfsSync, writeFileSync } from "node:fs";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { openMetrics } from "#app/node/metrics/part.ts";
import { Rejections } from "#app/node/explorer/rejections/rejections.ts";
import { type BlockReports, openBlockReports } from "#app/node/replication/block-reports.ts";
import { setupOf } from "#app/node/setup/node-setup.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { nodeHost } from "#test/helpers/node-host.ts";
import { nodeOptions } from "#test/helpers/node-options.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const BLOCK: AcceptedMessage = {
  kind: "accepted",
  blockNumber: 5,
  blockHash: 0xabcn,
  transactionCount: 3,
  eventCount: 7,
  revertedTransactions: { count: 0, first: [] },
  productionSeconds: 2,
  commitSeconds: 0.25,
};

/** Reports of a node with this folder, and its gauges at each scrape. */
async function reporting(
  basePath: string,
  disposables: AsyncDisposableStack,
  changed: Partial<NodeSetup> = {},
) {
  const options = await nodeOptions({ basePath });
  const setup = { ...setupOf(options, null), ...changed };
  const metrics = createNodeMetrics();
  const logged: string[] = [];
  const log = createLogger({ level: "warn", format: "text", write: (line) => logged.push(line) });
  const timer = new FakeTimer();
  const host = nodeHost({ metrics, log, timer, disposables });
  const storage = { view: { chain: { latestNumber: () => 4 } } };
  const part = openMetrics(options, { setup, storage }, host);
  const rejections = new Rejections(() => 1_000);
  const reports = openBlockReports(part, rejections, host);
  const scraped = async (name: string): Promise<number | undefined> => {
    part.refresh();
    return (await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value;
  };
  return { reports, rejections, timer, scraped, setup, logged };
}

test.each<readonly [string, (reports: BlockReports) => void]>([
  ["produced here", (reports) => reports.production.accepted(BLOCK)],
  ["imported", (reports) => reports.imports.imported(BLOCK)],
])(
  "measure the newest block's age from start, and again from a block that was %s",
  async (_, one) => {
    using folder = temporaryFolder();
    await using disposables = new AsyncDisposableStack();
    const { reports, timer, scraped } = await reporting(folder.path, disposables);
    timer.advance(2_500);
    expect(await scraped("appchain_l2_block_age_seconds")).toBe(2.5);
    one(reports);
    expect(await scraped("appchain_l2_block_age_seconds")).toBe(0);
    timer.advance(1_000);
    expect(await scraped("appchain_l2_block_age_seconds")).toBe(1);
  },
);

test("count and log jumps of the wall clock", async () => {
  using folder = temporaryFolder();
  await using disposables = new AsyncDisposableStack();
  const { reports, scraped, logged } = await reporting(folder.path, disposables);
  expect(await scraped("appchain_clock_jumps")).toBe(0);
  reports.production.clockJumped(90_400);
  reports.production.clockJumped(-90_400);
  expect(await scraped("appchain_clock_jumps")).toBe(2);
  expect(logged.map((line) => /by_seconds=(\S+)/.exec(line)?.[1])).toEqual(["90", "-90"]);
});

test("report free disk space and database size at each scrape", async () => {
  using folder = temporaryFolder();
  await using disposables = new AsyncDisposableStack();
  const { scraped, setup } = await reporting(folder.path, disposables);
  expect(await scraped("appchain_db_size")).toBe(0);
  writeFileSync(setup.files.chainDatabase, "12345");
  expect(await scraped("appchain_db_size")).toBe(5);
  const { bavail, bsize } = statfsSync(folder.path);
  const free = await scraped("appchain_disk_free_bytes");
  // Other processes write to the disk meanwhile.
  expect(Math.abs((free ?? 0) - bavail * bsize)).toBeLessThan(2 ** 30);
});

test("report no free space for a missing disk", async () => {
  await using disposables = new AsyncDisposableStack();
  const { scraped } = await reporting("/nowhere/at/all", disposables);
  expect(await scraped("appchain_disk_free_bytes")).toBe(0);
});

test("report a producer as leader, a follower not", async () => {
  using folder = temporaryFolder();
  await using disposables = new AsyncDisposableStack();
  const alone = await reporting(folder.path, disposables);
  expect(await alone.scraped("appchain_leader")).toBe(1);
  const follow = {} as NonNullable<NodeSetup["follow"]>;
  const following = await reporting(folder.path, disposables, { follow });
  expect(await following.scraped("appchain_leader")).toBe(0);
});

test("report how long a block has waited to be published", async () => {
  using folder = temporaryFolder();
  await using disposables = new AsyncDisposableStack();
  const { reports, timer, scraped } = await reporting(folder.path, disposables);
  reports.production.gate.tell({
    kind: "gate",
    state: "waiting",
    blockNumber: 5,
    reason: "status 503",
  });
  timer.advance(1_500);
  expect(await scraped("appchain_gate_waiting_seconds")).toBe(1.5);
});

test("keep what is rejected and refused", async () => {
  await using disposables = new AsyncDisposableStack();
  const { reports, rejections } = await reporting("/nowhere/at/all", disposables);
  reports.production.rejections.add([{ hash: 1n, sender: 2n, code: "EXPIRED", reason: "late" }]);
  reports.imports.refused({ check: "form", blockNumber: 3, message: "no block" }, "the store");
  expect(rejections.list()).toMatchObject({
    transactions: [{ hash: 1n, sender: 2n, reason: "late" }],
    blocks: [{ blockNumber: 3, reason: "no block", source: "the store" }],
  });
});

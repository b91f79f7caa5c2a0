import { expect, test } from "bun:test";
import { SyncTimes } from "#app/node/sync/reports/sync-times.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

test("exports total, average and newest sync time of imported blocks", async () => {
  const metrics = createNodeMetrics();
  const timer = new FakeTimer();
  const times = new SyncTimes(metrics.sync, timer);
  const values = async () => {
    const names = [
      "appchain_l2_sync_time",
      "appchain_l2_avg_sync_time",
      "appchain_l2_latest_sync_time",
    ];
    const found: unknown[] = [];
    for (const name of names) {
      const metric = await metrics.registry.getSingleMetric(name)?.get();
      found.push(metric?.values[0]?.value);
    }
    return found;
  };
  expect(await values()).toEqual([0, 0, 0]);
  timer.advance(3_000);
  times.imported();
  expect(await values()).toEqual([3, 3, 3]);
  timer.advance(1_000);
  times.imported();
  expect(await values()).toEqual([4, 2, 1]);
});

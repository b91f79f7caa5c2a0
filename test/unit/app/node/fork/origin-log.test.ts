import { describe, expect, test } from "bun:test";
import { OriginLog } from "#app/node/fork/origin-log.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import type { OriginReport } from "#io/origin/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const COUNTS = {
  cached: 3,
  fetched: 2,
  requests: 1,
  calls: 2,
  waits: 2,
  waitedMs: 1_500,
  rateLimited: 4,
  receivedBytes: 100,
};
const UP: OriginReport = {
  state: { kind: "up", sinceUnixMs: 0 },
  storeFailure: null,
  counts: COUNTS,
};
const DOWN: OriginReport = {
  ...UP,
  state: { kind: "down", sinceUnixMs: 0, reason: "http://origin:1 does not respond" },
};

function openLog() {
  const lines: string[] = [];
  const metrics = createNodeMetrics();
  const timer = new FakeTimer();
  const log = createLogger({
    level: "info",
    format: "text",
    write: (line, level) => void lines.push(`${level} ${line}`),
  });
  return { origin: new OriginLog({ metrics: metrics.fork, log, timer }), lines, metrics, timer };
}

async function valueOf(metrics: ReturnType<typeof createNodeMetrics>, name: string) {
  const text = await metrics.registry.getSingleMetricAsString(name);
  return text.split("\n").filter((line) => line.startsWith(name));
}

describe("OriginLog", () => {
  test("counts the reports in the metrics", async () => {
    const { origin, metrics } = openLog();
    origin.note(UP);
    origin.note(UP);
    expect(await valueOf(metrics, "appchain_fork_values")).toEqual([
      'appchain_fork_values{source="cache"} 6',
      'appchain_fork_values{source="origin"} 4',
    ]);
    expect(await valueOf(metrics, "appchain_fork_requests")).toEqual(["appchain_fork_requests 2"]);
    expect(await valueOf(metrics, "appchain_fork_calls")).toEqual(["appchain_fork_calls 4"]);
    expect(await valueOf(metrics, "appchain_fork_waits")).toEqual(["appchain_fork_waits 4"]);
    expect(await valueOf(metrics, "appchain_fork_wait_seconds")).toEqual([
      "appchain_fork_wait_seconds 3",
    ]);
    expect(await valueOf(metrics, "appchain_fork_rate_limited")).toEqual([
      "appchain_fork_rate_limited 8",
    ]);
    expect(await valueOf(metrics, "appchain_fork_received_bytes")).toEqual([
      "appchain_fork_received_bytes 200",
    ]);
  });

  test("reports an origin that is down until it responds again", async () => {
    const { origin, metrics, lines } = openLog();
    origin.note(UP);
    expect(origin.alarm()).toBeUndefined();
    origin.note(DOWN);
    origin.note(DOWN);
    expect(origin.alarm()).toContain("http://origin:1 does not respond");
    expect(await valueOf(metrics, "appchain_fork_origin_up")).toEqual([
      "appchain_fork_origin_up 0",
    ]);
    origin.note(UP);
    expect(origin.alarm()).toBeUndefined();
    expect(await valueOf(metrics, "appchain_fork_origin_up")).toEqual([
      "appchain_fork_origin_up 1",
    ]);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toStartWith("warn");
    expect(lines[1]).toContain("responds again");
  });

  test("warns once that values are not stored", () => {
    const { origin, lines } = openLog();
    const failing = { ...UP, storeFailure: "disk full" };
    origin.note(failing);
    origin.note(failing);
    origin.note(UP);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain("disk full");
    expect(lines[1]).toContain("stored again");
  });

  test("logs one line for each minute with reads", () => {
    const { origin, lines, timer } = openLog();
    origin.note(UP);
    origin.note(UP);
    timer.advance(60_000);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(
      "6 values from the cache, 4 from the origin, 2 requests, 4 waits of 3.0 s together, 8 responses 429",
    );
    timer.advance(60_000);
    expect(lines).toHaveLength(1);
    origin.stop();
    expect(timer.alarms).toBe(0);
  });
});

import { describe, expect, test } from "bun:test";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { GateReport, NOT_READY_MS } from "#app/node/production/reports/gate-report.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

function world() {
  const lines: string[] = [];
  const log = createLogger({ level: "info", format: "text", write: (line) => lines.push(line) });
  const metrics = createNodeMetrics();
  const timer = new FakeTimer();
  const report = new GateReport({ log, metrics: metrics.replication, timer });
  const wait = (reason = "status 503", blockNumber = 7) =>
    report.tell({ kind: "gate", state: "waiting", blockNumber, reason });
  const open = (blockNumber = 7) => report.tell({ kind: "gate", state: "open", blockNumber });
  const value = async (name: string) => {
    report.refresh();
    return (await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value;
  };
  return { lines, report, timer, wait, open, value };
}

describe("the gate report of a waiting block", () => {
  test("logs when the wait starts, each minute, and when the block is published", () => {
    const { lines, timer, wait, open } = world();
    wait();
    for (let second = 1; second <= 150; second++) {
      timer.advance(1_000);
      wait("no answer");
    }
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain("block 7 waits to be published");
    expect(lines[0]).toContain("status 503");
    expect(lines[2]).toContain("seconds=120");
    expect(lines[2]).toContain("no answer");
    open();
    expect(lines).toHaveLength(4);
    expect(lines[3]).toContain("block 7 is published");
    expect(lines[3]).toContain("waited_seconds=150");
    open();
    expect(lines).toHaveLength(4);
  });

  test("exports waiting time, retries and published blocks", async () => {
    const { report, timer, wait, open, value } = world();
    expect(await value("appchain_gate_waiting_seconds")).toBe(0);
    wait();
    timer.advance(2_500);
    wait();
    expect(await value("appchain_gate_waiting_seconds")).toBe(2.5);
    expect(await value("appchain_gate_retries")).toBe(2);
    open();
    report.published();
    report.published();
    expect(await value("appchain_gate_waiting_seconds")).toBe(0);
    expect(await value("appchain_gate_published_blocks")).toBe(2);
  });

  test("makes the node not ready after 30 s, until the block is published", () => {
    const { report, timer, wait, open } = world();
    wait();
    timer.advance(NOT_READY_MS - 1);
    wait("status 403");
    expect(report.alarm()).toBeUndefined();
    timer.advance(1);
    expect(report.alarm()).toBe("block 7 has been waiting for 30 s to be published: status 403");
    open();
    expect(report.alarm()).toBeUndefined();
  });

  test("starts again for the next waiting block", () => {
    const { report, timer, wait, lines } = world();
    wait();
    timer.advance(NOT_READY_MS);
    wait("status 503", 8);
    expect(report.alarm()).toBeUndefined();
    expect(lines).toHaveLength(2);
  });

  test("ends if another block is in its place, or the committer is gone", () => {
    const { report, timer, wait, lines } = world();
    wait();
    timer.advance(NOT_READY_MS);
    report.tell({ kind: "gate", state: "refused", blockNumber: 7, epoch: 3 });
    expect(report.alarm()).toBeUndefined();
    expect(lines.at(-1)).toContain("another one is in its place");
    expect(lines.at(-1)).toContain("epoch=3");
    wait();
    timer.advance(NOT_READY_MS);
    report.forget();
    expect(report.alarm()).toBeUndefined();
  });
});

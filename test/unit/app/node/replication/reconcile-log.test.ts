import { expect, test } from "bun:test";
import { createLogger } from "#base/telemetry/index.ts";
import { ReconcileLog } from "#app/node/replication/reconcile-log.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

function world() {
  const lines: string[] = [];
  const timer = new FakeTimer();
  const write = (line: string): void => void lines.push(line);
  const log = new ReconcileLog(createLogger({ level: "info", format: "text", write }), timer);
  return { lines, timer, log };
}

test("logs an unavailable store every ten seconds", () => {
  const { lines, timer, log } = world();
  for (let second = 0; second < 25; second++) {
    log.tell({ kind: "waiting", reason: "status 503" });
    timer.advance(1_000);
  }
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain("status 503");
});

test("logs progress at intervals, and the end", () => {
  const { lines, timer, log } = world();
  for (let done = 1; done <= 1_000; done++) {
    log.tell({ kind: "published", done, total: 1_000 });
    timer.advance(25);
  }
  expect(lines).toHaveLength(4);
  expect(lines.at(-1)).toContain("done=1000");
});

test("logs each restored and each unwound block", () => {
  const { lines, log } = world();
  log.tell({ kind: "filled", blockNumber: 7 });
  log.tell({ kind: "filled", blockNumber: 8 });
  log.tell({ kind: "unwound", newestBlock: 41, count: 3 });
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain("block=8");
  expect(lines[2]).toContain("newest=41");
  expect(lines[2]).toContain("blocks=3");
});

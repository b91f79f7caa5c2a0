import { expect, test } from "bun:test";
import { EmptySource } from "#app/node/sync/reports/empty-source.ts";
import { MAX_SILENCE_MS } from "#app/node/sync/reports/gateway-silence.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

test("logs an empty source once if this node has blocks, and when it has blocks again", () => {
  const timer = new FakeTimer();
  const lines: string[] = [];
  const write = (line: string) => lines.push((JSON.parse(line) as { message: string }).message);
  const source = new EmptySource({
    log: createLogger({ level: "info", format: "json", write }),
    sourceName: "the gateway",
    nowMs: () => timer.nowMs(),
  });
  source.reported(null, false)?.();
  timer.advance(10 * MAX_SILENCE_MS);
  source.reported(null, false)?.();
  source.reported(null, true)?.();
  expect(lines).toEqual([]);
  for (let i = 0; i < 5; i++) {
    timer.advance(MAX_SILENCE_MS);
    source.reported(null, true)?.();
  }
  expect(lines).toEqual(["the gateway reports no blocks: the node keeps its blocks"]);
  source.reported(7, true)?.();
  source.reported(8, true)?.();
  expect(lines.slice(1)).toEqual(["the gateway has blocks again"]);
});

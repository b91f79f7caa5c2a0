import { expect, test } from "bun:test";
import {
  DROPPED_EVERY_MS,
  DroppedPreConfirmed,
} from "#app/node/sync/reports/dropped-pre-confirmed.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { refusalOf } from "#test/helpers/sync-messages.ts";

test("logs dropped pre-confirmed blocks once a minute with their number", () => {
  const timer = new FakeTimer();
  const counts: unknown[] = [];
  const write = (line: string) => counts.push((JSON.parse(line) as { dropped: number }).dropped);
  const report = new DroppedPreConfirmed({
    log: createLogger({ level: "info", format: "json", write }),
    nowMs: () => timer.nowMs(),
  });
  for (let ms = 0; ms <= DROPPED_EVERY_MS; ms += 1_000) {
    report.dropped(refusalOf(5, `told ${ms}`))?.();
    timer.advance(1_000);
  }
  expect(counts).toEqual([1, DROPPED_EVERY_MS / 1_000]);
});

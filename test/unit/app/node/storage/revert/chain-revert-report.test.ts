import { expect, test } from "bun:test";
import { chainRevertReport } from "#app/node/storage/revert/chain-revert-report.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

test("logs progress of a long revert at intervals, and nothing for a short one", () => {
  const timer = new FakeTimer();
  const lines: unknown[] = [];
  const report = chainRevertReport({ info: (...line: unknown[]) => void lines.push(line) }, timer);
  for (let done = 0; done < 100; done++) {
    report({ phase: done < 60 ? "blocks" : "tries", done, total: 100 });
    timer.advance(100);
  }
  expect(lines).toEqual([["reverting blocks", { done: 50, total: 100 }]]);
  timer.advance(100);
  report({ phase: "tries", done: 100, total: 100 });
  expect(lines[1]).toEqual(["building tries again", { done: 100, total: 100 }]);
});

import { expect, test } from "bun:test";
import { RevertedTransactionsReport } from "#app/node/production/reports/reverted-transactions-report.ts";
import type { LogFields } from "#base/telemetry/index.ts";

function setUp() {
  const lines: { readonly message: string; readonly fields: LogFields | undefined }[] = [];
  const timers: (() => void)[] = [];
  const report = new RevertedTransactionsReport({
    log: { info: (message, fields) => void lines.push({ message, fields }) },
    schedule: (work) => void timers.push(work),
  });
  return { lines, timers, report };
}

const some = (count: number, reason = "no balance") =>
  Array.from({ length: count }, (_, i) => ({ hash: BigInt(i), sender: 0xabn, reason }));

test("logs a reverted transaction with hash, sender, block and reason", () => {
  const { lines, report } = setUp();
  report.add(7, { count: 1, first: some(1) });
  expect(lines).toEqual([
    {
      message: "transaction reverted",
      fields: { hash: "0x0", sender: "0xab", block: 7, reason: "no balance" },
    },
  ]);
});

test("does nothing for a block without reverted transactions", () => {
  const { lines, timers, report } = setUp();
  report.add(7, { count: 0, first: [] });
  expect([lines.length, timers.length]).toEqual([0, 0]);
});

test("logs ten reverted transactions per second and the number of the others", () => {
  const { lines, timers, report } = setUp();
  for (let block = 0; block < 5; block++) report.add(block, { count: 300, first: some(10) });
  expect([lines.length, timers.length]).toEqual([10, 1]);
  timers.shift()?.();
  expect(lines.at(-1)).toEqual({ message: "more transactions reverted", fields: { count: 1490 } });
  report.add(9, { count: 2, first: some(2) });
  expect(lines.length).toBe(13);
  report.flush();
  expect(lines.length).toBe(13);
});

test("logs the remaining count on flush", () => {
  const { lines, report } = setUp();
  report.add(1, { count: 12, first: some(10) });
  report.flush();
  expect(lines.at(-1)?.fields).toEqual({ count: 2 });
});

test("shortens reasons and strips control characters", () => {
  const { lines, report } = setUp();
  report.add(1, { count: 1, first: some(1, `bad\u001b[2J\u202e${"x".repeat(1000)}`) });
  const reason = String(lines[0]?.fields?.["reason"]);
  expect(reason.startsWith("bad [2J xxx")).toBe(true);
  expect(reason.length).toBe(301);
});

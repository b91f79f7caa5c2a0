import { expect, test } from "bun:test";
import { RejectionReport } from "#app/node/production/reports/rejection-report.ts";
import type { ReportedRejection } from "#services/admission/index.ts";
import type { LogFields } from "#base/telemetry/index.ts";

function setUp() {
  const lines: { readonly message: string; readonly fields: LogFields | undefined }[] = [];
  const codes: string[] = [];
  const timers: { readonly work: () => void; readonly delayMs: number }[] = [];
  const report = new RejectionReport({
    log: { info: (message, fields) => void lines.push({ message, fields }) },
    count: (code) => void codes.push(code),
    schedule: (work, delayMs) => void timers.push({ work, delayMs }),
  });
  return { lines, codes, timers, report };
}

function rejection(hash: bigint, reason = "the nonce is used"): ReportedRejection {
  return { hash, sender: 0xabn, code: "INVALID_NONCE", reason };
}

test("logs a rejection with hash, sender, code and reason, and counts it", () => {
  const { lines, codes, report } = setUp();
  report.add([rejection(0x1fn)]);
  expect(lines).toEqual([
    {
      message: "transaction rejected",
      fields: {
        hash: "0x1f",
        sender: "0xab",
        code: "INVALID_NONCE",
        reason: "the nonce is used",
      },
    },
  ]);
  expect(codes).toEqual(["INVALID_NONCE"]);
});

test("logs ten rejections per second and the number of the others; counts all", () => {
  const { lines, codes, timers, report } = setUp();
  for (let i = 0n; i < 100n; i++) report.add([rejection(i), rejection(i)]);
  expect(lines.length).toBe(10);
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([1000]);
  timers.shift()?.work();
  expect(lines.length).toBe(11);
  expect(lines.at(-1)).toEqual({ message: "more transactions rejected", fields: { count: 190 } });
  expect(codes.length).toBe(200);
  report.add([rejection(1n)]);
  expect([lines.length, timers.length]).toEqual([12, 1]);
  timers.shift()?.work();
  expect(lines.length).toBe(12);
});

test("logs the remaining count on flush", () => {
  const { lines, report } = setUp();
  for (let i = 0n; i < 13n; i++) report.add([rejection(i)]);
  report.flush();
  expect(lines.at(-1)?.fields).toEqual({ count: 3 });
});

test("shortens reasons and strips control characters", () => {
  const { lines, report } = setUp();
  report.add([rejection(1n, `bad\u001b[2J\n${"x".repeat(1000)}`)]);
  const reason = String(lines[0]?.fields?.["reason"]);
  expect(reason.startsWith("bad [2J xxx")).toBe(true);
  expect(reason.length).toBe(301);
});

import { expect, test } from "bun:test";
import { processUse, useOfPs } from "#io/processes/process-use.ts";

test("processUse returns the memory and processor time of all threads of a process", async () => {
  const before = await processUse(process.pid);
  const untilMs = process.cpuUsage().user + process.cpuUsage().system + 200_000;
  while (process.cpuUsage().user + process.cpuUsage().system < untilMs) Math.sqrt(untilMs);
  const after = await processUse(process.pid);
  expect((after?.cpuMs ?? 0) - (before?.cpuMs ?? 0)).toBeGreaterThanOrEqual(180);
  const { user, system } = process.cpuUsage();
  expect(after?.cpuMs).toBeLessThanOrEqual((user + system) / 1000 + 20);
  expect(after?.residentBytes).toBeGreaterThan(10 << 20);
});

test("processUse returns undefined for a process that has exited", async () => {
  const child = Bun.spawn(["true"]);
  await child.exited;
  expect(await processUse(child.pid)).toBeUndefined();
});

test.each([
  [" 2048   0:00.05\n", { residentBytes: 2 << 20, cpuMs: 50 }],
  ["1 12:34.50", { residentBytes: 1024, cpuMs: 754_500 }],
  ["1 01:02:03", { residentBytes: 1024, cpuMs: 3_723_000 }],
  ["", undefined],
  ["- 0:00", undefined],
] as const)("useOfPs parses %p", (line, use) => {
  expect(useOfPs(line)).toEqual(use as never);
});

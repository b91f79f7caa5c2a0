import { expect, test } from "bun:test";
import { Lifecycle } from "#node/lifecycle.ts";
import { createLogger } from "#telemetry/index.ts";

function node(parts: AsyncDisposableStack) {
  const lines: string[] = [];
  const log = createLogger({ level: "debug", format: "text", write: (line) => lines.push(line) });
  return { lifecycle: new Lifecycle(parts, log), lines };
}

test("parts stop in the reverse order of their start, and the exit code is 0", async () => {
  const order: string[] = [];
  const parts = new AsyncDisposableStack();
  parts.defer(() => void order.push("first"));
  parts.defer(async () => {
    await Bun.sleep(1);
    order.push("second");
  });
  const { lifecycle } = node(parts);
  lifecycle.stop();
  expect(await lifecycle.closed).toBe(0);
  expect(order).toEqual(["second", "first"]);
});

test("asked twice, it stops once", async () => {
  let stops = 0;
  const parts = new AsyncDisposableStack();
  parts.defer(() => void stops++);
  const { lifecycle } = node(parts);
  lifecycle.stop();
  lifecycle.stop();
  await lifecycle.closed;
  expect(stops).toBe(1);
});

test("a part that can not stop makes the exit code 1", async () => {
  const parts = new AsyncDisposableStack();
  parts.defer(() => Promise.reject(new RangeError("stuck")));
  const { lifecycle, lines } = node(parts);
  lifecycle.stop();
  expect(await lifecycle.closed).toBe(1);
  await Bun.sleep(0);
  expect(lines.join("\n")).toContain("stuck");
});

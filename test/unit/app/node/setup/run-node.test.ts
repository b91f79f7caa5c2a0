import { expect, test } from "bun:test";
import { runNode } from "#app/node/setup/run-node.ts";
import { NodeError } from "#base/errors/index.ts";
import { nodeOptions } from "#test/helpers/node-options.ts";

const PORTS = { exit: () => undefined, threadEnd: "terminate" } as const;

/** Runs a node whose only part does `work`, and reports what was disposed. */
async function run(work: () => Promise<void>, signal = new AbortController().signal) {
  const disposed: string[] = [];
  const options = await nodeOptions({ signal });
  const started = runNode(options, PORTS, (_, { disposables }) => {
    disposables.defer(() => void disposed.push("first"));
    disposables.defer(() => void disposed.push("second"));
    return work();
  });
  return { started, disposed };
}

test("stops the started parts in reverse order when one does not start", async () => {
  const failure = new NodeError("NODE_FAILED", "no port");
  const { started, disposed } = await run(() => Promise.reject(failure));
  expect(await started.catch((error: unknown) => error)).toBe(failure);
  expect(disposed).toEqual(["second", "first"]);
});

test("ends with 0 when the start is cancelled", async () => {
  const cancelled = new NodeError("NODE_STOPPED", "stopped");
  const { started, disposed } = await run(() => Promise.reject(cancelled), AbortSignal.abort());
  expect(await (await started).closed).toBe(0);
  expect(disposed).toEqual(["second", "first"]);
});

test("reports a failure that happens while the start is cancelled", async () => {
  const failure = new NodeError("NODE_FAILED", "no port");
  const { started } = await run(() => Promise.reject(failure), AbortSignal.abort());
  expect(await started.catch((error: unknown) => error)).toBe(failure);
});

test("keeps the parts running after the start", async () => {
  const { started, disposed } = await run(() => Promise.resolve());
  await started;
  expect(disposed).toEqual([]);
});

import { expect, test } from "bun:test";
import { createLogger } from "#base/telemetry/index.ts";
import { startCompiler } from "#app/node/compiler/background-compiler.ts";
import type { CompilerProcess } from "#app/node/compiler/compiler-process.ts";
import { settle } from "#test/helpers/admission-world.ts";

/** A node with a compiler that a test plays. */
function node() {
  const parts = new AsyncDisposableStack();
  const lines: string[] = [];
  const log = createLogger({ level: "debug", format: "text", write: (line) => lines.push(line) });
  const started = Promise.withResolvers<CompilerProcess>();
  const signals: AbortSignal[] = [];
  startCompiler(parts, log, (signal) => {
    signals.push(signal);
    return started.promise;
  });
  const stops: string[] = [];
  const child: CompilerProcess = {
    pid: 77,
    stop() {
      stops.push("stopped");
      return Promise.resolve();
    },
  };
  return { parts, lines, started, signals, child, stops };
}

test("a compiler that runs ends with the node", async () => {
  const { parts, lines, started, child, stops } = node();
  started.resolve(child);
  await settle();
  expect(lines.join("")).toContain("77");
  expect(stops).toEqual([]);
  await parts.disposeAsync();
  expect(stops).toEqual(["stopped"]);
});

test("one that does not start is told of, and the node goes on", async () => {
  const { parts, lines, started } = node();
  started.reject(new RangeError("no memory"));
  await settle();
  expect(lines.join("")).toContain("no memory");
  await parts.disposeAsync();
});

test("one that starts while the node stops is told to end, waited for, and not told of", async () => {
  const { parts, lines, started, signals } = node();
  const stopped = parts.disposeAsync();
  expect(signals[0]?.aborted).toBe(true);
  started.reject(new RangeError("killed"));
  await stopped;
  expect(lines).toEqual([]);
});

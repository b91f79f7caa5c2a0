import { expect, test } from "bun:test";
import { createLogger } from "#base/telemetry/index.ts";
import { startCompiler } from "#app/node/compiler/background-compiler.ts";
import type { CompilerProcess } from "#app/node/compiler/compiler-process.ts";
import { settle } from "#test/helpers/admission-world.ts";

/** A node whose compiler the test plays. */
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

test("a running compiler ends with the node", async () => {
  const { parts, lines, started, child, stops } = node();
  started.resolve(child);
  await settle();
  expect(lines.join("")).toContain("77");
  expect(stops).toEqual([]);
  await parts.disposeAsync();
  expect(stops).toEqual(["stopped"]);
});

test("logs a compiler that does not start, while the node continues", async () => {
  const { parts, lines, started } = node();
  started.reject(new RangeError("no memory"));
  await settle();
  expect(lines.join("")).toContain("no memory");
  await parts.disposeAsync();
});

test("aborts a compiler that starts while the node stops, waits for it, and logs nothing", async () => {
  const { parts, lines, started, signals } = node();
  const stopped = parts.disposeAsync();
  expect(signals[0]?.aborted).toBe(true);
  started.reject(new RangeError("killed"));
  await stopped;
  expect(lines).toEqual([]);
});

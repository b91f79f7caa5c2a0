import { describeError, type Logger } from "#base/telemetry/index.ts";
import type { CompilerProcess } from "./compiler-process.ts";

/**
 * Starts the compiler's child process in parallel with the running node; the node's start does not wait for
 * it.
 *
 * @param disposables - stops the process with the node
 * @param start - resolves with `undefined` if no process is to run yet
 */
export function startCompiler(
  disposables: AsyncDisposableStack,
  log: Logger,
  start: (signal: AbortSignal) => Promise<CompilerProcess | undefined>,
): void {
  let child: CompilerProcess | undefined;
  const stop = new AbortController();
  const started = start(stop.signal).then(
    (running) => {
      child = running;
      if (running === undefined) return;
      log.debug("compiler process started", { pid: running.pid });
    },
    (error: unknown) => {
      if (stop.signal.aborted) return;
      log.warn("the compiler process did not start", { reason: describeError(error) });
    },
  );
  disposables.defer(async () => {
    stop.abort();
    await started;
    await child?.stop();
  });
}

import { InvariantError, NodeError } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import {
  isCompiled,
  type ProcessLimits,
  type ProcessUse,
  processUse,
  watchProcess,
} from "#io/processes/index.ts";
import type { ClassOutcome, ClassReply, ClassRequest } from "./outcome.ts";

/** The part of the runtime's `Worker` that is used here. */
export interface ClassWorker {
  postMessage(request: ClassRequest): void;
  addEventListener(type: "message", listener: (event: { readonly data: ClassReply }) => void): void;
  addEventListener(type: "error", listener: (event: { readonly message: string }) => void): void;
  addEventListener(type: "close", listener: () => void): void;
  terminate(): void;
}

/** Starts the thread, in both forms of the program: bundled, and from source. */
export function startClassWorker(): ClassWorker {
  const url = isCompiled()
    ? "file:///$bunfs/root/src/app/cli/class/class.thread.js"
    : new URL("./class.thread.ts", import.meta.url).href;
  return new Worker(url) as unknown as ClassWorker;
}

/** Dependencies of a compilation in a thread. */
export interface ClassThreadDeps {
  readonly start: () => ClassWorker;
  /** Calls back once when this process exceeds its limits. @returns a function that stops watching */
  readonly watch: (onExceeded: (what: "memory" | "time") => void) => () => void;
}

/**
 * Runs the compilation in a thread of this process; limits apply to the increase since the thread started.
 */
export function classThread(limits: ProcessLimits): ClassThreadDeps {
  return {
    start: startClassWorker,
    watch(onExceeded) {
      const before = process.memoryUsage.rss();
      const use = async (): Promise<ProcessUse | undefined> => {
        const now = await processUse(process.pid);
        return now && { ...now, residentBytes: now.residentBytes - before };
      };
      return watchProcess({ use, limits, onExceeded, timer: SYSTEM_TIMER });
    },
  };
}

/**
 * Processes a class file in a separate thread, since it may take long. The program can show progress and stop
 * meanwhile.
 *
 * @throws {NodeError} NODE_STOPPED when the signal is aborted first; NODE_COMPILATION_UNFINISHED when the
 * class exceeds the time or memory limit
 * @throws {InvariantError} when the thread fails
 */
export async function classOutcomeInThread(
  request: ClassRequest,
  signal: AbortSignal,
  { start, watch }: ClassThreadDeps,
): Promise<ClassOutcome> {
  const stopped = new NodeError("NODE_STOPPED", "stopped before the class was compiled");
  if (signal.aborted) throw stopped;
  const { promise, resolve, reject } = Promise.withResolvers<ClassOutcome>();
  const stop = (): void => reject(stopped);
  const fail = (reason: string): void => reject(new InvariantError(`compiling failed: ${reason}`));
  signal.addEventListener("abort", stop);
  const endWatch = watch((what) => {
    const message = `compiling exceeded the ${what === "time" ? "processor time" : "memory"} limit (--compiler-${what === "time" ? "timeout" : "memory"})`;
    reject(new NodeError("NODE_COMPILATION_UNFINISHED", message));
  });
  const worker = start();
  worker.addEventListener("message", ({ data }) => {
    if (data.kind === "ready") worker.postMessage(request);
    else if (data.kind === "done") resolve(data.outcome);
    else fail(data.text);
  });
  worker.addEventListener("error", ({ message }) => fail(message));
  worker.addEventListener("close", () => fail("the thread ended"));
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", stop);
    endWatch();
    worker.terminate();
  }
}

import { NodeError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { isCompiled } from "#io/processes/index.ts";
import { connect } from "./connection.ts";
import { COMPILER_READY } from "./run-child.ts";

/** Hidden command under which this program runs as the compiler's child process. */
export const COMPILER_COMMAND = "__compiler";

/**
 * Environment of a compiler process: JavaScriptCore settings only. By default the engine optimizes functions that run
 * only a few more times, which costs up to half of the processor time that a class of usual size needs otherwise.
 *
 * `thresholdForFTL*`: at least ten times the default, because the last optimizing compiler saves time only in
 * compilations that take many seconds, such as those of hostile classes.
 *
 * `useWarmUpMarkedBlocks`: off, because the thread that touches memory in advance saves a short process nothing.
 */
export const COMPILER_ENVIRONMENT: Readonly<Record<string, string>> = {
  BUN_JSC_thresholdForJITAfterWarmUp: "5000",
  BUN_JSC_thresholdForJITSoon: "3000",
  BUN_JSC_thresholdForOptimizeAfterWarmUp: "20000",
  BUN_JSC_thresholdForOptimizeSoon: "5000",
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "1000000",
  BUN_JSC_thresholdForFTLOptimizeSoon: "100000",
  BUN_JSC_useWarmUpMarkedBlocks: "0",
};

const START_TIMEOUT_MS = 20_000;

/** Time in which the process may exit before it is killed. */
const STOP_TIMEOUT_MS = 300;

/** A running child process for class compilation. */
export interface CompilerProcess {
  readonly pid: number;
  stop(): Promise<void>;
}

/** Running child process that accepts requests. */
export interface RequestProcess extends CompilerProcess {
  /** Resolves with the reason when the process has ended. */
  readonly ended: Promise<string>;
  /**
   * Sends a request; only one may be in flight. @returns `undefined` if the process ends before it answers
   */
  request(message: Uint8Array): Promise<Uint8Array | undefined>;
  /** Kills the process immediately. */
  kill(): void;
}

/**
 * Starts this executable again as the class compiler. It is a separate process because a hostile class must
 * not bring down the node, and the memory of a thread cannot be limited. Its environment is only
 * {@link COMPILER_ENVIRONMENT}: the node's own may hold secrets.
 *
 * @param niceness - scheduling priority, 0 to 19
 * @param signal - kills the process while it starts
 * @throws {NodeError} NODE_COMPILER_FAILED with the reason when it does not get ready
 */
export async function startCompilerProcess(
  niceness: number,
  signal: AbortSignal,
  timer: Timer,
): Promise<RequestProcess> {
  const entry = new URL("../../../../bin/appchain.ts", import.meta.url).pathname;
  const program = isCompiled() ? [process.execPath] : [process.execPath, entry];
  const child = Bun.spawn([...program, COMPILER_COMMAND, String(niceness)], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
    cwd: "/",
    env: { ...COMPILER_ENVIRONMENT },
  });
  const connection = connect(child);
  const kill = (): void => child.kill("SIGKILL");
  let isLate = false;
  const startTimeout = setTimeout(() => {
    isLate = true;
    kill();
  }, START_TIMEOUT_MS);
  signal.addEventListener("abort", kill);
  if (signal.aborted) kill();
  const first = await connection.next();
  clearTimeout(startTimeout);
  signal.removeEventListener("abort", kill);
  if (new TextDecoder().decode(first) !== COMPILER_READY) {
    if (first !== undefined) kill();
    await child.exited;
    const why = isLate ? `it did not respond for ${START_TIMEOUT_MS / 1000} s` : endOf(child);
    const message = `the compiler process did not get ready: ${why}`;
    throw new NodeError("NODE_COMPILER_FAILED", message);
  }
  return {
    pid: child.pid,
    ended: Promise.all([child.exited, connection.ended]).then(() => endOf(child)),
    request: (message) => connection.request(message),
    kill,
    stop: () => endChild(child, timer),
  };
}

/**
 * Describes how a process ended: by an exit code or a signal.
 *
 * @param child - an ended process
 */
export function endOf({
  exitCode,
  signalCode,
}: Pick<Bun.Subprocess, "exitCode" | "signalCode">): string {
  if (signalCode === null) return `it ended with exit code ${exitCode}`;
  const hint = signalCode === "SIGKILL" ? ", as systems do that are short of memory" : "";
  return `it was killed (${signalCode})${hint}`;
}

/** Part of a child process that {@link endChild} needs. */
export interface EndingChild {
  readonly stdin: { end(): unknown };
  readonly exited: Promise<unknown>;
  kill(signal: "SIGKILL"): void;
}

/** Closes a child's standard input and waits for it to exit; kills it after a timeout. */
export async function endChild(child: EndingChild, timer: Timer): Promise<void> {
  const cancel = timer.after(STOP_TIMEOUT_MS, () => child.kill("SIGKILL"));
  await child.stdin.end();
  await child.exited;
  cancel();
}

import { NodeError } from "#base/errors/index.ts";
import { SYSTEM_TIMER, type Timer } from "#base/primitives/index.ts";
import { isCompiled } from "./threads/spawn.ts";

/** Hidden command under which this program runs as the compiler's child process. */
export const COMPILER_COMMAND = "__compiler";

/** What the child writes to standard output once it is ready to take classes. */
export const COMPILER_READY = "ready";

const START_TIMEOUT_MS = 20_000;

/** How long the process may take to end by itself. */
const STOP_TIMEOUT_MS = 300;

/** A running child process for class compilation. */
export interface CompilerProcess {
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Starts this executable again as the class compiler: a process of its own, because a hostile class
 * must not take the node and a thread's memory cannot be limited.
 *
 * @param signal - ends the process while it starts
 * @throws {NodeError} NODE_COMPILER_FAILED when it does not get ready
 */
export async function startCompilerProcess(signal: AbortSignal): Promise<CompilerProcess> {
  const entry = new URL("../../../bin/appchain.ts", import.meta.url).pathname;
  const command = isCompiled() ? [COMPILER_COMMAND] : [entry, COMPILER_COMMAND];
  const child = Bun.spawn([process.execPath, ...command], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
    cwd: "/",
  });
  const reader = child.stdout.getReader();
  const kill = (): void => child.kill("SIGKILL");
  const timer = setTimeout(kill, START_TIMEOUT_MS);
  signal.addEventListener("abort", kill);
  const { value } = await reader.read();
  clearTimeout(timer);
  signal.removeEventListener("abort", kill);
  if (new TextDecoder().decode(value).trim() !== COMPILER_READY) {
    kill();
    throw new NodeError("NODE_COMPILER_FAILED", "the compiler process did not get ready");
  }
  return {
    pid: child.pid,
    stop: () => endChild(child),
  };
}

/** What ending a child process needs of it. */
export interface EndingChild {
  readonly stdin: { end(): unknown };
  readonly exited: Promise<unknown>;
  kill(signal: "SIGKILL"): void;
}

/** Closes a child's standard input and waits until it has ended; kills it when it takes too long. */
export async function endChild(child: EndingChild, timer: Timer = SYSTEM_TIMER): Promise<void> {
  const cancel = timer.after(STOP_TIMEOUT_MS, () => child.kill("SIGKILL"));
  await child.stdin.end();
  await child.exited;
  cancel();
}

/** The child's side: says that it is ready, and ends when its standard input closes. */
export async function runCompilerProcess(): Promise<number> {
  process.stdout.write(`${COMPILER_READY}\n`);
  for await (const chunk of Bun.stdin.stream()) void chunk;
  return 0;
}

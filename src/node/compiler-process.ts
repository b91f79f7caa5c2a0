import { NodeError } from "#errors/index.ts";
import { isCompiled } from "./workers/spawn.ts";

/** Hidden command under which this program runs as the compiler's child process. */
export const COMPILER_COMMAND = "__compiler";

/** What the child writes to standard output once it is ready to take classes. */
export const COMPILER_READY = "ready";

const START_TIMEOUT_MS = 20_000;

/** A running child process for class compilation. */
export interface CompilerProcess {
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Starts this executable again as the class compiler: a process of its own, because a hostile class
 * must not take the node and a thread's memory can not be limited.
 *
 * @throws {NodeError} NODE_COMPILER_FAILED when it does not get ready
 */
export async function startCompilerProcess(): Promise<CompilerProcess> {
  const entry = new URL("../../bin/appchain.ts", import.meta.url).pathname;
  const command = isCompiled() ? [COMPILER_COMMAND] : [entry, COMPILER_COMMAND];
  const child = Bun.spawn([process.execPath, ...command], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
    cwd: "/",
  });
  const reader = child.stdout.getReader();
  const timer = setTimeout(() => child.kill(), START_TIMEOUT_MS);
  const { value } = await reader.read();
  clearTimeout(timer);
  if (new TextDecoder().decode(value).trim() !== COMPILER_READY) {
    child.kill();
    throw new NodeError("NODE_COMPILER_FAILED", "the compiler process did not get ready");
  }
  return {
    pid: child.pid,
    async stop() {
      await child.stdin.end();
      const late = setTimeout(() => child.kill(), 2_000);
      await child.exited;
      clearTimeout(late);
    },
  };
}

/** The child's side: says that it is ready, and ends when its standard input closes. */
export async function runCompilerProcess(): Promise<number> {
  process.stdout.write(`${COMPILER_READY}\n`);
  for await (const chunk of Bun.stdin.stream()) void chunk;
  return 0;
}

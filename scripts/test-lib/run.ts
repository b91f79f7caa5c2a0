import { join } from "node:path";

/** The repository. */
export const ROOT: string = join(import.meta.dir, "../..");

/** Result of a command. */
export interface Ended {
  readonly code: number;
  /** Both streams, in the order in which they were written. */
  readonly output: string;
  /** Processor time of the command and of the descendants that it waited for, `user` + `sys`. */
  readonly cpuSeconds: number;
}

/** Merges both streams, so that an error stays at its place in the output. */
const MERGED = ["sh", "-c", 'exec "$@" 2>&1', "sh"];

/** Runs a command in the repository until it exits, and prints its output. */
export async function run(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = Bun.spawn([...MERGED, ...command], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdout: "pipe",
    stdin: "ignore",
  });
  let output = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    const text = decoder.decode(chunk, { stream: true });
    output += text;
    process.stdout.write(text);
  }
  const code = await child.exited;
  const { user = 0n, system = 0n } = child.resourceUsage()?.cpuTime ?? {};
  return { code, output, cpuSeconds: Number(user + system) / 1e6 };
}

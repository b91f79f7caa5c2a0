import { join } from "node:path";

/** The repository. */
export const ROOT: string = join(import.meta.dir, "../..");

/** How a command ended. */
export interface Ended {
  readonly code: number;
  /** Both streams, in the order in which they came. */
  readonly output: string;
}

/** Both streams into one, so that an error stands where the command printed it. */
const MERGED = ["sh", "-c", 'exec "$@" 2>&1', "sh"];

/** Runs a command in the repository to its end, and shows what it prints. */
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
  return { code: await child.exited, output };
}

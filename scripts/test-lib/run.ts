import { join } from "node:path";

/** The repository. */
export const ROOT: string = join(import.meta.dir, "../..");

/** How a command ended. */
export interface Ended {
  readonly code: number;
  /** Both streams, in the order in which they came. */
  readonly output: string;
}

/** Runs a command in the repository to its end, and shows what it prints. */
export async function run(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = Bun.spawn([...command], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdout: "pipe",
    stderr: "pipe",
    stdin: "ignore",
  });
  let output = "";
  const drain = async (stream: ReadableStream<Uint8Array>, to: NodeJS.WriteStream) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      const text = decoder.decode(chunk, { stream: true });
      output += text;
      to.write(text);
    }
  };
  await Promise.all([drain(child.stdout, process.stdout), drain(child.stderr, process.stderr)]);
  return { code: await child.exited, output };
}

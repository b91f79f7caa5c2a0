import { BINARY, TEST_ENVIRONMENT } from "./binary.ts";

/** How a command ended. */
export interface EndedCommand {
  readonly exitCode: number;
  /** Everything it printed, standard output first. */
  readonly output: string;
}

/** Runs a command of the compiled program to its end; both its streams are one text. `env` comes on top. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<EndedCommand> {
  const child = Bun.spawn([BINARY, ...args], {
    cwd: "/",
    env: { ...TEST_ENVIRONMENT, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [exitCode, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { exitCode, output: stdout + stderr };
}

import { BINARY, TEST_ENVIRONMENT } from "./binary.ts";

/** Result of a command. */
export interface EndedCommand {
  readonly exitCode: number;
  /** Output, standard output first. */
  readonly output: string;
}

/**
 * Runs a command of the compiled program until it exits; its streams are one text. `env` extends
 * the environment.
 */
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

import { BINARY } from "./binary.ts";

/** Runs a command of the compiled program to its end; both its streams are one text. */
export async function runCommand(
  args: readonly string[],
): Promise<{ readonly exitCode: number; readonly output: string }> {
  const child = Bun.spawn([BINARY, ...args], {
    cwd: "/",
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

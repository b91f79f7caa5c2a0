import { BINARY, freePort, TEST_ENVIRONMENT } from "./binary.ts";

/**
 * Starts a development chain in a folder, and kills it at a moment.
 *
 * @param moment - settles when the process is to be killed
 * @returns what `moment` settles with
 */
export async function startAndKill<T>(
  basePath: string,
  args: readonly string[],
  moment: (pid: number) => Promise<T>,
): Promise<T> {
  const ports = ["--rpc-port", String(await freePort()), "--metrics-port", "off"];
  const child = Bun.spawn(
    [BINARY, "sequencer", "--preset", "devnet", "--base-path", basePath, ...args, ...ports],
    { cwd: "/", env: TEST_ENVIRONMENT, stdin: "ignore", stdout: "ignore", stderr: "inherit" },
  );
  try {
    return await moment(child.pid);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
}

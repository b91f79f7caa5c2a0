import { BINARY, freePort, TEST_ENVIRONMENT } from "./binary.ts";

/**
 * Starts a development chain in a folder, and kills it when `moment` settles.
 *
 * @param moment - settles at the time of the kill
 * @returns the value of `moment`
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

import { expect } from "bun:test";
import { BINARY, freePort, TEST_ENVIRONMENT } from "./binary.ts";
import { untilTrue } from "./until-true.ts";

/** Pause between two looks at the condition, which may hold for milliseconds. */
const POLL_MS = 1;
const TIMEOUT_MS = 60_000;

/** Starts a development chain in a folder, and kills it once a condition holds. */
export async function startAndKill(
  basePath: string,
  args: readonly string[],
  isSo: () => boolean,
): Promise<void> {
  const ports = ["--rpc-port", String(await freePort()), "--metrics-port", "off"];
  const child = Bun.spawn(
    [BINARY, "sequencer", "--preset", "devnet", "--base-path", basePath, ...args, ...ports],
    { cwd: "/", env: TEST_ENVIRONMENT, stdin: "ignore", stdout: "ignore", stderr: "inherit" },
  );
  try {
    expect(await untilTrue(isSo, TIMEOUT_MS, POLL_MS)).toBe(true);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
}

import { BINARY, TEST_ENVIRONMENT } from "./binary.ts";

/**
 * Starts a sequencer with the preset devnet, and kills it after a time.
 *
 * @param folder - its data directory
 */
export async function killedStart(folder: string, lifeMs: number): Promise<void> {
  const ports = ["--rpc-port", "0", "--metrics-port", "off"];
  const child = Bun.spawn(
    [BINARY, "sequencer", "--preset", "devnet", "--base-path", folder, ...ports],
    { env: TEST_ENVIRONMENT, stdin: "ignore", stdout: "ignore", stderr: "ignore" },
  );
  await Bun.sleep(lifeMs);
  child.kill("SIGKILL");
  await child.exited;
}

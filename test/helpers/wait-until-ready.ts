import { existsSync } from "node:fs";
import { NodeError } from "#base/errors/index.ts";

const READY_TIMEOUT_MS = 120_000;

/**
 * Waits until a starting node responds.
 *
 * @param readyFile - file that the node writes after its first response; `undefined` if it writes none
 * @param output - what the node has printed so far, for the error
 * @throws {NodeError} when its process ended, or after two minutes
 */
export async function waitUntilReady(
  url: string,
  readyFile: string | undefined,
  child: { readonly exitCode: number | null },
  output: () => string,
): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    if (child.exitCode !== null || Date.now() > deadline) {
      const reason = `the chain did not start (exit code ${child.exitCode})`;
      throw new NodeError("NODE_UNREACHABLE", `${reason}:\n${output()}`);
    }
    // The file is cheaper to look for, and written after the first response.
    const mayAnswer = readyFile === undefined || existsSync(readyFile);
    if (mayAnswer && (await isHealthy(url))) return;
    await Bun.sleep(20);
  }
}

function isHealthy(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    (response) => response.ok,
    () => false,
  );
}

import { expect } from "bun:test";
import { createHash } from "node:crypto";
import { isFullSize } from "./test-size.ts";

/**
 * Runs a slow check whose result depends on nothing but its inputs, unless it has passed with exactly these. A
 * run at full size always runs it. After a change of an input the check runs, and the test fails until the new
 * hash is recorded.
 *
 * @param passed - SHA-256, in hexadecimal, of the inputs with which the check has passed
 * @param inputs - everything that determines the result: data, settings, the program's source and version
 */
export async function unlessPassedBefore(
  passed: string,
  inputs: readonly string[],
  check: () => void | Promise<void>,
): Promise<void> {
  const hash = createHash("sha256");
  for (const input of inputs) hash.update(`${input.length}:`).update(input);
  const found = hash.digest("hex");
  if (isFullSize || found !== passed) await check();
  expect(found).toBe(passed);
}

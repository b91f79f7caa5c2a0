import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFullSize } from "./test-size.ts";

const FOLDER = join(import.meta.dir, "../../build/cache");

/**
 * Returns the result of `compile` for the same inputs from an earlier run, as far as JSON preserves
 * it. A run at full size always compiles, and failures are not cached.
 *
 * @param inputs - everything that determines the result: sources, settings, the compiler's source
 * and version
 */
export async function compiledOnce<T extends { readonly kind: string }>(
  inputs: readonly string[],
  compile: () => T | Promise<T>,
): Promise<T> {
  const hash = createHash("sha256");
  for (const input of inputs) hash.update(`${input.length}:`).update(input);
  const path = join(FOLDER, `${hash.digest("hex")}.json`);
  if (!isFullSize && existsSync(path)) return JSON.parse(readFileSync(path, "utf8")) as T;
  const result = await compile();
  if (result.kind === "compiled") {
    mkdirSync(FOLDER, { recursive: true });
    // Other test files may be reading the same entry.
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify(result));
    renameSync(temporary, path);
  }
  return result;
}

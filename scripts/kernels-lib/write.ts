import { renameSync, writeFileSync } from "node:fs";

/** Replaces a file at once: others may be loading the old one at this moment. */
export function writeAtomically(path: string, contents: Uint8Array | string): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}

import { renameSync, writeFileSync } from "node:fs";

/** Replaces a file atomically: other processes may be loading the old one. */
export function writeAtomically(path: string, contents: Uint8Array | string): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}

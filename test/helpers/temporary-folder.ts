import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is removed with everything in it at the end of its `using` scope. */
export interface TemporaryFolder extends Disposable {
  readonly path: string;
  /** Path of a file in the folder. */
  file(name: string): string;
}

/** A new empty folder. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), "appchain-test-"));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** A new empty folder for the tests of the calling file or `describe`. */
export function useFolder(): TemporaryFolder {
  const folder = temporaryFolder();
  afterAll(() => folder[Symbol.dispose]());
  return folder;
}

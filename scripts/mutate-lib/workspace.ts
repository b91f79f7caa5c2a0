import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Mutant } from "./draw.ts";
import { mutate } from "./operators.ts";

/** Folders that are not copied; dependencies are linked instead. */
const LEFT_OUT: ReadonlySet<string> = new Set([".git", ".bun", "dist", "node_modules"]);

/** Result of a command. */
export type Ending = "passed" | "failed" | "late";

/** Change and place of a mutation. */
export type Broken = Pick<Mutant, "file" | "source" | "start" | "end" | "replacement">;

/** A copy of the repository, in which code is broken. */
export interface Workspace extends Disposable {
  /** Whether the copy has no type errors. */
  typesHold(): Promise<boolean>;
  /** Builds the program that end-to-end tests run. @returns whether the build succeeded */
  build(): Promise<boolean>;
  /** Runs the tests of files and folders, up to the first failure. */
  test(paths: readonly string[], timeoutMs: number): Promise<Ending>;
  /** Breaks the copy. @returns a function that restores it */
  apply(mutant: Broken): () => void;
}

/** Creates a {@link Workspace} in a temporary folder, which is deleted on disposal. */
export function createWorkspace(root: string): Workspace {
  const folder = mkdtempSync(join(tmpdir(), "appchain-mutate-"));
  const copy = join(folder, "repository");
  cpSync(root, copy, {
    recursive: true,
    filter: (path) => path === root || !LEFT_OUT.has(basename(path)),
  });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  // Tests expect the public fixtures next to the repository.
  const shared = join(dirname(root), "shared");
  if (existsSync(shared)) symlinkSync(shared, join(folder, "shared"));
  const run = async (args: readonly string[], timeoutMs: number): Promise<Ending> => {
    const child = Bun.spawn([process.execPath, ...args], {
      cwd: copy,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      timeout: Math.ceil(timeoutMs),
      killSignal: "SIGKILL",
    });
    const code = await child.exited;
    if (code === 0) return "passed";
    return child.signalCode === "SIGKILL" ? "late" : "failed";
  };
  return {
    typesHold: async () => (await run(["check"], 120_000)) === "passed",
    build: async () => (await run(["scripts/build.ts"], 120_000)) === "passed",
    test: (paths, timeoutMs) =>
      run(["test", "--bail", "--timeout", "60000", ...paths.map((path) => `./${path}`)], timeoutMs),
    apply(mutant) {
      const path = join(copy, mutant.file);
      writeFileSync(path, mutate(mutant.source, mutant));
      return () => writeFileSync(path, mutant.source);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * The folders with the tests of a file's room: `src/app/node/x.ts` has `test/unit/app/node`. If a room has
 * no unit tests, these are those of its floor; the methods of JSON-RPC also have `test/rpc`.
 *
 * @param root - folder of the repository
 */
export function testFoldersOf(root: string, file: string): readonly string[] {
  const [, floor = "", room = ""] = file.split("/");
  const ofFloor = join("test/unit", floor);
  const ofRoom = join(ofFloor, room);
  const unit = existsSync(join(root, ofRoom)) ? ofRoom : ofFloor;
  return `${floor}/${room}` === "api/rpc" ? [unit, "test/rpc"] : [unit];
}

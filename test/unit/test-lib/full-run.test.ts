import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import {
  FULL_RUN_FILE,
  readFullRun,
  reasonForFullRun,
  writeFullRun,
} from "../../../scripts/test-lib/exhaustive/full-run.ts";
import type { Git } from "../../../scripts/test-lib/git.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const RECORD = { commit: COMMIT, date: "2026-11-27", passed: 16_052 };

/** A repository whose last full run is `age` commits old, with these files changed since. */
function gitWith(age: number, changed: readonly string[], isKnown = true): Git {
  return {
    head: () => COMMIT.replace("0", "f"),
    program: () => "program",
    isCommit: () => isKnown,
    isAncestor: (commit) => isKnown && commit === COMMIT,
    countSince: () => age,
    changedSince: () => changed,
    isClean: () => true,
  };
}

describe("CI runs everything", () => {
  test.each([
    ["src/kernels/vm/index.ts"],
    ["src/engine/execution/index.ts"],
    ["src/io/storage/schema/index.ts"],
  ])("when %s differs from the last full run", (path) => {
    expect(reasonForFullRun(RECORD, gitWith(1, ["docs/rpc.md", path]))).toContain(path);
  });

  test("when the last full run is more than a hundred commits old", () => {
    expect(reasonForFullRun(RECORD, gitWith(100, []))).toBeUndefined();
    expect(reasonForFullRun(RECORD, gitWith(101, []))).toContain("101 commits");
  });

  test("when the commit of the last full run is unknown", () => {
    expect(reasonForFullRun(RECORD, gitWith(1, [], false))).toContain(COMMIT);
  });

  test("only for these reasons", () => {
    const changed = ["src/io/objects/probe.ts", "src/kernels.md", "test/unit/engine/a.test.ts"];
    expect(reasonForFullRun(RECORD, gitWith(7, changed))).toBeUndefined();
  });
});

describe("record of a full run", () => {
  test("is read as written", () => {
    using folder = temporaryFolder();
    mkdirSync(folder.file("test"));
    writeFullRun(folder.path, RECORD);
    expect(readFullRun(folder.path)).toEqual(RECORD);
  });

  test.each([["{"], ["null"], ["{}"], ['{"commit":"main","date":"2026-11-27","passed":1}']])(
    "is ignored if it is %p",
    (text) => {
      using folder = temporaryFolder();
      mkdirSync(folder.file("test"));
      writeFileSync(folder.file(FULL_RUN_FILE), text);
      expect(readFullRun(folder.path)).toBeUndefined();
    },
  );

  test("is missing in a new repository", () => {
    using folder = temporaryFolder();
    expect(readFullRun(folder.path)).toBeUndefined();
  });
});

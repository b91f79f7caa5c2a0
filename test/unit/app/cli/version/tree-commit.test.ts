import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { treeCommit } from "#app/cli/version/tree-commit.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

/** Makes a repository with one committed file, `a`. @returns the hash of its commit */
function repositoryIn(root: string): string {
  const git = (...words: readonly string[]): string => {
    const { exitCode, stdout } = Bun.spawnSync(["git", ...words], { cwd: root });
    expect([words, exitCode]).toEqual([words, 0]);
    return stdout.toString().trim();
  };
  git("init", "-q");
  writeFileSync(`${root}/a`, "1");
  git("add", ".");
  git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", "a commit");
  return git("rev-parse", "HEAD");
}

test("treeCommit is the checked-out commit, modified when a tracked file differs", () => {
  using folder = temporaryFolder();
  const hash = repositoryIn(folder.path);
  expect(treeCommit(folder.path)).toEqual({ hash, isModified: false });
  writeFileSync(folder.file("untracked"), "");
  expect(treeCommit(folder.path)).toEqual({ hash, isModified: false });
  writeFileSync(folder.file("a"), "2");
  expect(treeCommit(folder.path)).toEqual({ hash, isModified: true });
});

test("treeCommit ignores a repository around the folder", () => {
  using folder = temporaryFolder();
  repositoryIn(folder.path);
  mkdirSync(folder.file("copy"));
  expect(treeCommit(folder.file("copy"))).toBeUndefined();
});

test("treeCommit is undefined without a repository, a commit or a folder", () => {
  using folder = temporaryFolder();
  expect(treeCommit(folder.path)).toBeUndefined();
  Bun.spawnSync(["git", "init", "-q"], { cwd: folder.path });
  expect(treeCommit(folder.path)).toBeUndefined();
  expect(treeCommit(folder.file("missing"))).toBeUndefined();
});

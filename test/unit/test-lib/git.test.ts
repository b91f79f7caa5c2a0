import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { gitOf } from "../../../scripts/test-lib/git.ts";

test("git knows commits by hash and by name, and no other word", () => {
  using folder = temporaryFolder();
  const root = folder.file("repository");
  mkdirSync(root);
  const author = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  for (const args of [
    ["init", "-q"],
    [...author, "commit", "-q", "--allow-empty", "-m", "first"],
  ]) {
    expect(Bun.spawnSync(["git", ...args], { cwd: root }).exitCode).toBe(0);
  }
  const git = gitOf(root);
  const head = git.head();
  expect(head).toMatch(/^[0-9a-f]{40}$/);
  for (const name of ["HEAD", head, head.slice(0, 10)])
    expect([name, git.isCommit(name)]).toEqual([name, true]);
  for (const name of ["no-such-branch", "0".repeat(40), "HEAD~1", "--all", ""]) {
    expect([name, git.isCommit(name)]).toEqual([name, false]);
  }
});

test("git names a program by the content of its files alone", () => {
  using folder = temporaryFolder();
  const git = gitOf(folder.path);
  const author = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  /** Commits files, by path. */
  const commit = (files: Readonly<Record<string, string>>): string => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(folder.file(path)), { recursive: true });
      writeFileSync(folder.file(path), content);
    }
    for (const args of [
      ["add", "."],
      [...author, "commit", "-q", "-m", "a commit"],
    ]) {
      expect(Bun.spawnSync(["git", ...args], { cwd: folder.path }).exitCode).toBe(0);
    }
    return git.program();
  };
  expect(Bun.spawnSync(["git", "init", "-q"], { cwd: folder.path }).exitCode).toBe(0);
  const first = commit({ "src/a.ts": "1", "bin/b": "1", "package.json": "1", "bun.lock": "1" });
  expect(commit({ "test/c.ts": "1", "docs/d.md": "1" })).toBe(first);
  for (const path of ["src/a.ts", "bin/b", "package.json", "bun.lock"]) {
    expect([path, commit({ [path]: "2" }) === first]).toEqual([path, false]);
    expect([path, commit({ [path]: "1" }) === first]).toEqual([path, true]);
  }
});

import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
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

import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { gitOf } from "../../../scripts/test-lib/git.ts";

/** A new repository in a folder. @returns a function that commits files, by path */
function repositoryIn(root: string): (files: Readonly<Record<string, string>>) => void {
  const author = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  const git = (...args: readonly string[]): void => {
    expect(Bun.spawnSync(["git", ...args], { cwd: root }).exitCode).toBe(0);
  };
  git("init", "-q");
  return (files) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(`${root}/${path}`), { recursive: true });
      writeFileSync(`${root}/${path}`, content);
    }
    git("add", ".");
    git(...author, "commit", "-q", "--allow-empty", "-m", "a commit");
  };
}

test("isCommit accepts commits by hash or name and nothing else", () => {
  using folder = temporaryFolder();
  const commit = repositoryIn(folder.path);
  commit({});
  const git = gitOf(folder.path);
  const head = git.head();
  expect(head).toMatch(/^[0-9a-f]{40}$/);
  for (const name of ["HEAD", head, head.slice(0, 10)])
    expect([name, git.isCommit(name)]).toEqual([name, true]);
  for (const name of ["no-such-branch", "0".repeat(40), "HEAD~1", "--all", ""]) {
    expect([name, git.isCommit(name)]).toEqual([name, false]);
  }
});

test("program() depends only on the content of program files", () => {
  using folder = temporaryFolder();
  const git = gitOf(folder.path);
  const commit = repositoryIn(folder.path);
  const paths = [
    ...["src/a.ts", "bin/b", "package.json", "bun.lock"],
    ...["contracts/l1/C.json", "presets/p.yaml", "scripts/build.ts", "scripts/kernels.ts"],
  ];
  commit(Object.fromEntries(paths.map((path) => [path, "1"])));
  const first = git.program();
  commit({ "test/c.ts": "1", "docs/d.md": "1" });
  expect(git.program()).toBe(first);
  for (const path of paths) {
    commit({ [path]: "2" });
    expect([path, git.program() === first]).toEqual([path, false]);
    commit({ [path]: "1" });
    expect([path, git.program() === first]).toEqual([path, true]);
  }
});

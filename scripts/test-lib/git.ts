import { ROOT } from "./run.ts";

/** Inputs of the program's build: sources, embedded files, and build scripts. */
const PROGRAM = [
  "src",
  "bin",
  "contracts",
  "presets",
  "package.json",
  "bun.lock",
  "scripts/build.ts",
  "scripts/kernels.ts",
];

/** Reads a repository; one method per question. */
export interface Git {
  /** Hash of the commit that is checked out. */
  head(): string;
  /** Hashes of all inputs of the program's build in the checked-out commit. */
  program(): string;
  /** Whether a name (a hash, a branch, a tag, `HEAD~3`) names a known commit. */
  isCommit(name: string): boolean;
  /** Whether a commit is known and is an ancestor of the checked-out one. */
  isAncestor(commit: string): boolean;
  /** Commits after `commit`, up to the checked-out one. */
  countSince(commit: string): number;
  /** Files that differ between `commit` and the work tree, new ones included; paths from the root. */
  changedSince(commit: string): readonly string[];
  /** Whether the work tree equals the checked-out commit. */
  isClean(): boolean;
}

/**
 * {@link Git} over the `git` command.
 *
 * @param root - the repository
 */
export function gitOf(root: string = ROOT): Git {
  const git = (...args: readonly string[]) =>
    Bun.spawnSync(["git", ...args], { cwd: root, stdin: "ignore", stderr: "pipe" });
  const lines = (...args: readonly string[]): readonly string[] =>
    git(...args)
      .stdout.toString()
      .split("\n")
      .filter((line) => line !== "");
  return {
    head: () => lines("rev-parse", "HEAD")[0] ?? "",
    program: () => lines("rev-parse", ...PROGRAM.map((path) => `HEAD:${path}`)).join(" "),
    isCommit: (name) =>
      git("rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`).exitCode ===
      0,
    isAncestor: (commit) => git("merge-base", "--is-ancestor", commit, "HEAD").exitCode === 0,
    countSince: (commit) => Number(lines("rev-list", "--count", `${commit}..HEAD`)[0] ?? 0),
    changedSince: (commit) => [
      ...lines("diff", "--name-only", "--no-renames", commit),
      ...lines("ls-files", "--others", "--exclude-standard"),
    ],
    isClean: () => lines("status", "--porcelain").length === 0,
  };
}

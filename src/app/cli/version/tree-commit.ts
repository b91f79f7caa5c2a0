const TIMEOUT_MS = 5000;

/** Commit that a program is made from. */
export interface Commit {
  /** 40 hexadecimal digits, or 64 in a repository with SHA-256. */
  readonly hash: string;
  /** Whether tracked files differed from the commit. */
  readonly isModified: boolean;
}

/**
 * Reads the checked-out commit of a work tree.
 *
 * @param root - top folder of the tree: a folder within another repository has no commit
 * @returns `undefined` without git, and outside a repository with a commit
 */
export function treeCommit(root: string): Commit | undefined {
  // The first line is empty exactly at the top of a work tree.
  const [prefix, hash = ""] = linesOfGit(root, "rev-parse", "--show-prefix", "HEAD") ?? [];
  if (prefix !== "" || !/^[0-9a-f]{40,64}$/.test(hash)) return undefined;
  const changes = linesOfGit(root, "status", "--porcelain", "--untracked-files=no");
  return { hash, isModified: changes === undefined || changes.some((line) => line !== "") };
}

/** Output of a git command; `undefined` when it fails or git is not installed. */
function linesOfGit(root: string, ...words: readonly string[]): readonly string[] | undefined {
  try {
    // Without the option, `status` writes the index, and fails next to another git command.
    const { exitCode, stdout } = Bun.spawnSync(["git", "--no-optional-locks", ...words], {
      cwd: root,
      stdin: "ignore",
      stderr: "ignore",
      timeout: TIMEOUT_MS,
    });
    return exitCode === 0 ? stdout.toString().split("\n") : undefined;
  } catch {
    return undefined;
  }
}

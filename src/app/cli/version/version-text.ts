import { VERSION } from "../version.ts";
import { programCommit } from "./commit.ts";
import type { Commit } from "./tree-commit.ts";

/** Characters of a hash in the first line; fixed, so that it does not depend on the repository's size. */
const SHORT_HASH = 8;

/**
 * Text of `--version`: program, version and commit.
 *
 * @param isVerbose - adds the lines of `details.ts`
 */
export async function versionText(isVerbose: boolean): Promise<string> {
  const commit = programCommit();
  const line = versionLine(VERSION, commit);
  if (!isVerbose) return line;
  // Loaded for these lines alone: `--version` has to start fast.
  const { versionDetails } = await import("./details.ts");
  return [line, ...versionDetails(commit)].join("\n");
}

/** Formats the first line: `appchain 0.7.0 (90c81368)`. */
export function versionLine(version: string, commit: Commit | undefined): string {
  if (commit === undefined) {
    return `appchain ${version} (unknown commit: made without git or outside a repository)`;
  }
  return `appchain ${version} (${shortCommit(commit)})`;
}

/** Formats a commit for people: `90c81368`, or `90c81368, modified`. */
export function shortCommit({ hash, isModified }: Commit): string {
  return `${hash.slice(0, SHORT_HASH)}${isModified ? ", modified" : ""}`;
}

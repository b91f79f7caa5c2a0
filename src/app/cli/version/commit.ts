import { join } from "node:path";
import { type Commit, treeCommit } from "./tree-commit.ts";

/** Set by the build (`--define APPCHAIN_COMMIT`), see {@link commitText}; undefined when run from source. */
declare const APPCHAIN_COMMIT: string | undefined;

/** Encodes a commit for the build; empty when unknown. {@link commitOfText} decodes it. */
export function commitText(commit: Commit | undefined): string {
  return commit === undefined ? "" : `${commit.hash}${commit.isModified ? "-modified" : ""}`;
}

/** Decodes the result of {@link commitText}; `undefined` for every other text. */
export function commitOfText(text: string): Commit | undefined {
  const [, hash, suffix] = /^([0-9a-f]{40,64})(-modified)?$/.exec(text) ?? [];
  return hash === undefined ? undefined : { hash, isModified: suffix !== undefined };
}

/**
 * Commit of the running program: that of the build, or of the work tree when run from source.
 *
 * @returns `undefined` without a git repository at the build, or now when run from source
 */
export function programCommit(): Commit | undefined {
  if (typeof APPCHAIN_COMMIT === "string") return commitOfText(APPCHAIN_COMMIT);
  return treeCommit(join(import.meta.dir, "../../../.."));
}

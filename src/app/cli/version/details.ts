import { hasWideArithmetic } from "#kernels/field/index.ts";
import { BUILT_IN_CONSTANTS } from "#protocol/versions/index.ts";
import { COMPILER_VERSION, SUPPORTED_SIERRA } from "#engine/sierra/index.ts";
import { createMethodTables } from "#api/rpc/index.ts";
import type { Commit } from "./tree-commit.ts";

/** Lines that `--verbose` adds to `--version`: `name: value`. */
export function versionDetails(commit: Commit | undefined): readonly string[] {
  const { versions } = BUILT_IN_CONSTANTS;
  const specVersions = createMethodTables().map(({ spec }) => spec.version);
  return [
    `commit: ${commitOf(commit)}`,
    `Bun: ${Bun.version} (${process.platform} ${process.arch})`,
    `Starknet protocol: ${versions.at(0)} to ${versions.at(-1)}`,
    `JSON-RPC: ${specVersions.join(", ")}`,
    `Sierra: ${SUPPORTED_SIERRA} (code of compiler ${COMPILER_VERSION})`,
    `kernels: ${hasWideArithmetic() ? "wide" : "plain"}`,
  ];
}

function commitOf(commit: Commit | undefined): string {
  if (commit === undefined) return "unknown";
  return commit.isModified ? `${commit.hash}, with changes to tracked files` : commit.hash;
}

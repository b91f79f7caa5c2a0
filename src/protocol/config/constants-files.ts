import { resolve } from "node:path";
import { parseJson } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { readBoundedText } from "./bounded-file.ts";
import { canonicalHash } from "./canonical-hash.ts";
import { type ProtocolConstantsData, readPublicConstants } from "#protocol/versions/index.ts";
import type { IssueList } from "./issue-list.ts";

/** Value used instead of a file path to select the embedded constants of a version. */
export const BUILTIN_CONSTANTS = "builtin";

/** Result of {@link loadConstantsFiles}. */
export interface LoadedConstants {
  /** Absolute path or {@link BUILTIN_CONSTANTS}, by version. */
  readonly paths: ReadonlyMap<string, string>;
  readonly data: ReadonlyMap<string, ProtocolConstantsData>;
  /** SHA-256 of the contents, by version. */
  readonly hashes: ReadonlyMap<string, string>;
}

/**
 * Reads the files of a `versioned_constants` map, in either public schema.
 *
 * @param folder - base of relative paths: the folder of the configuration
 * @param lineOf - line of the map's member for a version
 * @param issues - receives unreadable and invalid files, by version
 */
export async function loadConstantsFiles(
  files: ReadonlyMap<string, string>,
  folder: string,
  lineOf: (version: string) => number,
  issues: IssueList,
): Promise<LoadedConstants> {
  const paths = new Map<string, string>();
  const data = new Map<string, ProtocolConstantsData>();
  const hashes = new Map<string, string>();
  for (const [version, file] of files) {
    if (file === BUILTIN_CONSTANTS) {
      paths.set(version, file);
      continue;
    }
    const path = resolve(folder, file);
    paths.set(version, path);
    const text = await readBoundedText(path);
    const at = [`versioned_constants.${version}`, lineOf(version)] as const;
    if (typeof text !== "string") {
      issues.add(...at, `${path}: ${text.reason}`);
      continue;
    }
    try {
      const value = parseJson(text);
      data.set(version, readPublicConstants(value));
      hashes.set(version, canonicalHash(value));
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      issues.add(...at, `${path}: ${error.message}`);
    }
  }
  return { paths, data, hashes };
}

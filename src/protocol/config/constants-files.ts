import { resolve } from "node:path";
import { parseJson } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { readBoundedText } from "./bounded-file.ts";
import { canonicalHash } from "./canonical-hash.ts";
import { type ProtocolConstantsData, readPublicConstants } from "#protocol/versions/index.ts";
import type { IssueList } from "./issue-list.ts";

/** Value in the place of a file path: the constants that are embedded for that version. */
export const BUILTIN_CONSTANTS = "builtin";

/** What {@link loadConstantsFiles} found. */
export interface LoadedConstants {
  /** Version to absolute path or {@link BUILTIN_CONSTANTS}. */
  readonly paths: ReadonlyMap<string, string>;
  readonly data: ReadonlyMap<string, ProtocolConstantsData>;
  /** SHA-256 of their contents. */
  readonly hashes: ReadonlyMap<string, string>;
}

/**
 * Reads the files of a `versioned_constants` map, in either public schema.
 *
 * @param folder - what relative paths start from: the folder of the configuration
 * @param lineOf - line of the map's member for a version
 * @param issues - unreadable and wrong files are reported here, by version
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

import { parseJson, stringifyJson } from "#base/codec/index.ts";
import {
  BUILT_IN_CONSTANTS,
  compareProtocolVersions,
  NEWEST_PROTOCOL_VERSION,
  readPublicConstants,
} from "#protocol/versions/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { versionChange } from "./version-change.ts";

/**
 * The file of a new version: the changes of the public file at `path` compared with the newest version.
 *
 * @throws {ConfigError} when the version is not newer than every known one
 * @throws {DecodeError} when the public file has another form than the two public schemas
 */
export async function versionFileOf(path: string, version: string): Promise<string> {
  if (compareProtocolVersions(version, NEWEST_PROTOCOL_VERSION) <= 0) {
    throw new ConfigError(
      `${version} is not newer than ${NEWEST_PROTOCOL_VERSION}: edit the file of that version instead`,
    );
  }
  const constants = readPublicConstants(parseJson(await Bun.file(path).text()));
  const change = versionChange(BUILT_IN_CONSTANTS.at(NEWEST_PROTOCOL_VERSION), constants);
  return `${stringifyJson({ version, constants: change }, 2)}\n`;
}

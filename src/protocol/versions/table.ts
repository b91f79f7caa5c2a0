import { ConfigError } from "#base/errors/index.ts";
import { protocolConstantsData } from "./data-codec.ts";
import { VERSION_FILES } from "./data/index.ts";
import { overlay } from "./overlay.ts";
import { resolveConstants } from "./resolve.ts";
import type { ProtocolConstants, ProtocolConstantsData } from "./types.ts";
import { compareProtocolVersions } from "./version.ts";

/** Constants by protocol version. */
export interface ConstantsTable {
  /** Versions with constants, oldest first. */
  readonly versions: readonly string[];
  /**
   * Returns the constants in force at `version`: those of the largest version not above it.
   *
   * @throws {ConfigError} when `version` is newer than every known one or older than the oldest
   */
  at(version: string): ProtocolConstants;
  /** Returns this table with additional or replaced versions. */
  with(extra: ReadonlyMap<string, ProtocolConstantsData>): ConstantsTable;
}

type DataSource = () => ProtocolConstantsData;

class LazyTable implements ConstantsTable {
  readonly versions: readonly string[];
  readonly #sources: ReadonlyMap<string, DataSource>;
  readonly #resolved = new Map<string, ProtocolConstants>();

  constructor(sources: ReadonlyMap<string, DataSource>) {
    this.#sources = sources;
    this.versions = [...sources.keys()].sort(compareProtocolVersions);
  }

  at(version: string): ProtocolConstants {
    const newest = this.versions.at(-1);
    const key = this.versions.findLast((known) => compareProtocolVersions(known, version) <= 0);
    if (newest === undefined || key === undefined || compareProtocolVersions(version, newest) > 0) {
      throw new ConfigError(
        `protocol version ${version} is not supported (known: ${this.versions.join(", ")})`,
        [],
        { meta: { version } },
      );
    }
    let constants = this.#resolved.get(key);
    if (constants === undefined) {
      const source = this.#sources.get(key) as DataSource;
      constants = resolveConstants(key, source());
      this.#resolved.set(key, constants);
    }
    return constants;
  }

  with(extra: ReadonlyMap<string, ProtocolConstantsData>): ConstantsTable {
    const sources = new Map(this.#sources);
    for (const [version, data] of extra) sources.set(version, () => data);
    return new LazyTable(sources);
  }
}

/** Each version file changes the constants of the previous version. */
function builtInSources(): ReadonlyMap<string, DataSource> {
  const sources = new Map<string, DataSource>();
  const files = VERSION_FILES.filter(({ constants }) => constants !== undefined);
  for (const [index, { version }] of files.entries()) {
    const older = files.slice(0, index + 1);
    sources.set(version, () => {
      const document = older.reduce<unknown>((base, { constants }) => overlay(base, constants), {});
      return protocolConstantsData.decode(document, version);
    });
  }
  return sources;
}

/** Constants of every public protocol version since 0.13.0. */
export const BUILT_IN_CONSTANTS: ConstantsTable = new LazyTable(builtInSources());

/** Newest protocol version that this program supports. */
export const NEWEST_PROTOCOL_VERSION: string = BUILT_IN_CONSTANTS.versions.at(-1) ?? "";

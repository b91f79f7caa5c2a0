import { isJsonObject } from "#codec/index.ts";
import { ConfigError } from "#errors/index.ts";
import base from "./data/base.json";
import differences from "./data/differences.json";
import { protocolConstantsData } from "./data-codec.ts";
import { resolveConstants } from "./resolve.ts";
import type { ProtocolConstants, ProtocolConstantsData } from "./types.ts";
import { compareProtocolVersions } from "./version.ts";

/** Constants by protocol version. */
export interface ConstantsTable {
  /** The versions that have constants of their own, oldest first. */
  readonly versions: readonly string[];
  /**
   * The constants in force at `version`: those of the largest version not above it.
   *
   * @throws {ConfigError} when `version` is newer than every known one or older than the oldest
   */
  at(version: string): ProtocolConstants;
  /** This table with more versions, or with other constants for known ones. */
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

/**
 * `target` with the members of `change` laid over it, objects member by member; `null` removes.
 */
function overlay(target: unknown, change: unknown): unknown {
  if (!isJsonObject(target) || !isJsonObject(change)) return change;
  const result: Record<string, unknown> = { ...target };
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete result[name];
    else result[name] = overlay(result[name], value);
  }
  return result;
}

/** The newest version is stated in full; each older one as its difference to the next newer. */
function builtInSources(): ReadonlyMap<string, DataSource> {
  const sources = new Map<string, DataSource>();
  const older = Object.entries(differences.versions);
  const documentAt = (index: number): unknown => {
    let document: unknown = base.constants;
    for (let i = 0; i <= index; i++) document = overlay(document, older[i]?.[1]);
    return document;
  };
  sources.set(base.version, () => protocolConstantsData.decode(base.constants, base.version));
  for (const [index, [version]] of older.entries()) {
    sources.set(version, () => protocolConstantsData.decode(documentAt(index), version));
  }
  return sources;
}

/** The constants of every public protocol version from 0.13.0. */
export const BUILT_IN_CONSTANTS: ConstantsTable = new LazyTable(builtInSources());

/** The newest protocol version that this program supports. */
export const NEWEST_PROTOCOL_VERSION: string = base.version;

/**
 * The built-in constants in force at a protocol version.
 *
 * @throws {ConfigError} when the version is newer or older than every known one
 */
export function protocolConstants(version: string): ProtocolConstants {
  return BUILT_IN_CONSTANTS.at(version);
}

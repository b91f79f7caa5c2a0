import type { SierraExecutable } from "#protocol/chain/index.ts";

type SierraVersion = SierraExecutable["sierraVersion"];

const STEP = 2 ** 20;

/** Encodes the `sierra_version` column. */
export function packVersion([major, minor, patch]: SierraVersion): number {
  return (major * STEP + minor) * STEP + patch;
}

/** Decodes the result of {@link packVersion}. */
export function unpackVersion(packed: bigint): SierraVersion {
  const value = Number(packed);
  return [Math.floor(value / STEP / STEP), Math.floor(value / STEP) % STEP, value % STEP];
}

import type { SierraExecutable } from "#protocol/chain/index.ts";

type SierraVersion = SierraExecutable["sierraVersion"];

const STEP = 2 ** 20;

/** The `sierra_version` column. */
export function packVersion([major, minor, patch]: SierraVersion): number {
  return (major * STEP + minor) * STEP + patch;
}

/** Undoes {@link packVersion}. */
export function unpackVersion(packed: bigint): SierraVersion {
  const value = Number(packed);
  return [Math.floor(value / STEP / STEP), Math.floor(value / STEP) % STEP, value % STEP];
}

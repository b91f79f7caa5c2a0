/**
 * Constants shared by the field kernel and its host. `scripts/kernels.ts` writes the kernel's side
 * (assembly/abi.generated.ts). Names in a list are numbered by their position. This file must not import
 * anything: the build of the kernels uses it.
 */

/** Statuses of the ec_op builtin; all except `ok` are errors of the Cairo run. */
export const EC_OP_STATUSES = ["ok", "firstNotOnCurve", "secondNotOnCurve", "sameX"] as const;

/** One of {@link EC_OP_STATUSES}. */
export type EcOpStatus = (typeof EC_OP_STATUSES)[number];

/** Sizes, in bytes, of the memory areas that the host and the field kernel share. */
export const FIELD_LAYOUT = {
  FELT_BYTES: 32,
  /** Size of the window for arguments and results. */
  WINDOW_BYTES: 1 << 18,
  KECCAK_BLOCK_BYTES: 136,
} as const;

/**
 * All constants that the host and the field kernel share, by their names in the kernel's source.
 */
export const FIELD_ABI = {
  EcStatus: EC_OP_STATUSES,
  Layout: FIELD_LAYOUT,
};

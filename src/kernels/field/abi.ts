/**
 * What the field kernel and its host agree on. `scripts/kernels.ts` writes the kernel's side of it
 * (assembly/abi.generated.ts). Names that are listed without a number have their position as their
 * number. This file imports nothing: the kernels are built with it.
 */

/** Statuses of the ec_op builtin; every one but `ok` is an error of the Cairo run. */
export const EC_OP_STATUSES = ["ok", "firstNotOnCurve", "secondNotOnCurve", "sameX"] as const;

/** One of {@link EC_OP_STATUSES}. */
export type EcOpStatus = (typeof EC_OP_STATUSES)[number];

/** Sizes in bytes. */
export const FIELD_LAYOUT = {
  FELT_BYTES: 32,
  /** Of the window that arguments and results go through. */
  WINDOW_BYTES: 1 << 18,
  KECCAK_BLOCK_BYTES: 136,
} as const;

/** All of it by the names that the kernel has for its parts. */
export const FIELD_ABI = {
  EcStatus: EC_OP_STATUSES,
  Layout: FIELD_LAYOUT,
};

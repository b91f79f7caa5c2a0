import type { BouncerWeights } from "./weights.ts";

/** Builtins that the proving gas of a block accounts for, and the Blake2s instruction. */
export type ProvingPrimitive =
  | "pedersen"
  | "range_check"
  | "range_check96"
  | "poseidon"
  | "ecdsa"
  | "ec_op"
  | "bitwise"
  | "keccak"
  | "add_mod"
  | "mul_mod"
  | "blake";

/**
 * Capacity of a block. An absent dimension has no limit. `instanceLimits` determines the proving gas of a
 * primitive: `provingGas / limit`, rounded down; absent members use the protocol's defaults.
 * `provingGasCosts` sets it directly and takes precedence.
 */
export interface BouncerCapacity {
  readonly limits: Readonly<Partial<BouncerWeights>>;
  readonly instanceLimits?: Readonly<Partial<Record<ProvingPrimitive, bigint>>>;
  readonly provingGasCosts?: Readonly<Partial<Record<ProvingPrimitive, bigint>>>;
}

/** Whether weights stay within every limit. */
export function isWithin({ limits }: BouncerCapacity, weights: BouncerWeights): boolean {
  for (const name in limits) {
    const dimension = name as keyof BouncerWeights;
    const limit = limits[dimension];
    if (limit !== undefined && weights[dimension] > limit) return false;
  }
  return true;
}

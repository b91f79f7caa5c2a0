import type { ProtocolConstants, VmResources } from "#protocol/versions/index.ts";
import { type PrimitiveName, totalSteps } from "../resources.ts";
import type { BouncerCapacity, ProvingPrimitive } from "./capacity.ts";

/** Default maximum instances of each primitive per block; determines a primitive's proving gas. */
const DEFAULT_INSTANCE_LIMITS: Readonly<Record<ProvingPrimitive, bigint>> = {
  pedersen: 2_000_000n,
  range_check: 66_666_666n,
  range_check96: 33_519_553n,
  poseidon: 600_000n,
  ecdsa: 3_000n,
  ec_op: 130_000n,
  bitwise: 10_500_000n,
  keccak: 10_000n,
  add_mod: 3_000_000n,
  mul_mod: 3_000_000n,
  blake: 1_800_000n,
};

/** Proving gas from which prices are derived if the capacity does not limit it. */
const DEFAULT_PROVING_GAS = 5_000_000_000n;

/** Gas of one instance of each builtin, and of one Blake2s instruction. */
export type PrimitiveCosts = Readonly<Record<ProvingPrimitive, bigint>>;

/** Returns the Sierra gas of one instance of each builtin and of one Blake2s instruction. */
export function sierraCosts({ os }: ProtocolConstants): PrimitiveCosts {
  return { ...os.builtinGasCosts, blake: os.blakeGasCost };
}

/**
 * Returns the proving gas of one instance of each builtin and of one Blake2s instruction, derived
 * from the block's capacity.
 */
export function provingCosts(capacity: BouncerCapacity): PrimitiveCosts {
  const provingGas = capacity.limits.provingGas ?? DEFAULT_PROVING_GAS;
  const limits = { ...DEFAULT_INSTANCE_LIMITS, ...capacity.instanceLimits };
  const derived = Object.fromEntries(
    Object.entries(limits).map(([name, limit]) => [name, provingGas / limit]),
  ) as Record<ProvingPrimitive, bigint>;
  return { ...derived, ...capacity.provingGasCosts };
}

/** Sums up the gas of counted builtin instances and Blake2s instructions at the given costs. */
export function primitiveGas(
  counters: Readonly<Partial<Record<PrimitiveName, number>>>,
  costs: PrimitiveCosts,
): bigint {
  let gas = 0n;
  for (const name in counters) {
    // The segment arena is counted as steps; contracts have no output.
    if (name === "segment_arena" || name === "output") continue;
    const primitive = name as ProvingPrimitive;
    gas += BigInt(counters[primitive] ?? 0) * costs[primitive];
  }
  return gas;
}

/** Gas of machine resources: steps, memory holes, builtins and Blake2s instructions. */
export function resourceGas(
  { os }: ProtocolConstants,
  resources: VmResources,
  costs: PrimitiveCosts,
): bigint {
  return (
    BigInt(totalSteps(resources)) * os.stepGasCost +
    BigInt(resources.memoryHoles) * os.memoryHoleGasCost +
    primitiveGas(resources.builtins, costs) +
    BigInt(resources.blake ?? 0) * costs.blake
  );
}

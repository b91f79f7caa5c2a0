import type { ProtocolConstants, SyscallName } from "#protocol/versions/index.ts";

/**
 * Constants that calls need, as plain numbers. Gas of one call is below 2^53, and a `bigint` per syscall
 * would be the host's largest cost.
 */
export interface CallNumbers {
  /** Gas of a syscall beyond what compiled code prepaid: base and per unit of length. */
  readonly syscalls: Readonly<
    Record<SyscallName, { readonly base: number; readonly linear: number }>
  >;
  /** Gas of one Keccak round, without the prepaid part. */
  readonly keccakRound: number;
  readonly entryPointBudget: number;
  /** Initial gas counter of calls metered by steps. */
  readonly unlimitedGas: number;
  readonly executeMaxGas: number;
  readonly validateMaxGas: number;
  /** Costs of pedersen, bitwise, ec_op, poseidon, add_mod, mul_mod and blake for compiled code. */
  readonly builtinCosts: readonly bigint[];
}

const cache = new WeakMap<ProtocolConstants, CallNumbers>();

/**
 * Converts the protocol constants that calls need to plain numbers; cached per constants object.
 */
export function callNumbers(constants: ProtocolConstants): CallNumbers {
  let numbers = cache.get(constants);
  if (numbers === undefined) {
    numbers = makeNumbers(constants);
    cache.set(constants, numbers);
  }
  return numbers;
}

function makeNumbers(constants: ProtocolConstants): CallNumbers {
  const { os, syscallGasCosts } = constants;
  const prepaid = Number(os.syscallBaseGasCost);
  const syscalls = Object.fromEntries(
    Object.entries(syscallGasCosts).map(([name, cost]) => [
      name,
      { base: Number(cost.base) - prepaid, linear: Number(cost.linearFactor) },
    ]),
  ) as CallNumbers["syscalls"];
  const costs = os.builtinGasCosts;
  return {
    syscalls,
    keccakRound: Number(syscallGasCosts.KeccakRound.base),
    entryPointBudget: Number(os.entryPointInitialBudget),
    unlimitedGas: Number(os.defaultInitialGasCost),
    executeMaxGas: Number(os.executeMaxSierraGas),
    validateMaxGas: Number(os.validateMaxSierraGas),
    builtinCosts: [
      costs.pedersen,
      costs.bitwise,
      costs.ec_op,
      costs.poseidon,
      costs.add_mod,
      costs.mul_mod,
      os.blakeGasCost,
    ],
  };
}

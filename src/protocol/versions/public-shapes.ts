import { convert, type Decoder, strictObject } from "#base/codec/index.ts";
import { count, gas, partialRecord, rational, record } from "./shapes.ts";
import {
  BUILTIN_NAMES,
  type BuiltinName,
  FEE_BUILTIN_NAMES,
  type FeeBuiltinName,
} from "./names.ts";
import type {
  ArchivalDataGasCosts,
  GasVector,
  LinearResources,
  Rational,
  VmResources,
} from "./types.ts";

/** Builtin names with the `_builtin` suffix of the public files. */
export const SUFFIXED_BUILTIN_NAMES = BUILTIN_NAMES.map((name) => `${name}_builtin` as const);

/** Cairo resources that are all zero: no steps, memory holes or builtins. */
export const NO_RESOURCES: VmResources = { steps: 0, memoryHoles: 0, builtins: {} };

/**
 * Decodes `{n_steps, n_memory_holes?, builtin_instance_counter}`: a missing `n_memory_holes` is 0. The result
 * omits unused builtins.
 */
export const publicVmResources: Decoder<VmResources> = convert(
  strictObject(
    {
      n_steps: count,
      builtin_instance_counter: partialRecord(SUFFIXED_BUILTIN_NAMES, count),
    },
    { n_memory_holes: count },
  ),
  "Cairo resources {n_steps, n_memory_holes, builtin_instance_counter}",
  (value) => {
    const builtins: Partial<Record<BuiltinName, number>> = {};
    for (const name of BUILTIN_NAMES) {
      const used = value.builtin_instance_counter[`${name}_builtin`] ?? 0;
      if (used > 0) builtins[name] = used;
    }
    return { steps: value.n_steps, memoryHoles: value.n_memory_holes ?? 0, builtins };
  },
);

const scaledFactor = strictObject({ resources: publicVmResources, scaling_factor: count });

const linear: Decoder<LinearResources> = convert(
  strictObject({
    constant: publicVmResources,
    calldata_factor: {
      describe: "Cairo resources, or {resources, scaling_factor}",
      decode: (value: unknown, path: string) =>
        isScaled(value)
          ? scaledFactor.decode(value, path)
          : { resources: publicVmResources.decode(value, path), scaling_factor: 1 },
    },
  }),
  "{constant, calldata_factor}",
  ({ constant, calldata_factor }) => ({
    constant,
    perCalldata: calldata_factor.resources,
    calldataScale: calldata_factor.scaling_factor,
  }),
);

function isScaled(value: unknown): boolean {
  return typeof value === "object" && value !== null && "resources" in value;
}

/** Decodes `{constant, calldata_factor}`, or plain resources, which do not depend on calldata. */
export const publicLinearResources: Decoder<LinearResources> = {
  describe: `${publicVmResources.describe} or ${linear.describe}`,
  decode: (value, path) =>
    typeof value === "object" && value !== null && "constant" in value
      ? linear.decode(value, path)
      : constantResources(publicVmResources.decode(value, path)),
};

/** Wraps resources as linear ones whose calldata factor is zero. */
export function constantResources(constant: VmResources): LinearResources {
  return { constant, perCalldata: NO_RESOURCES, calldataScale: 1 };
}

/** Decodes `{l1_gas, l1_data_gas, l2_gas}`. */
export const publicGasAmounts: Decoder<GasVector> = convert(
  strictObject({ l1_gas: gas, l1_data_gas: gas, l2_gas: gas }),
  "{l1_gas, l1_data_gas, l2_gas}",
  (value) => ({ l1Gas: value.l1_gas, l1DataGas: value.l1_data_gas, l2Gas: value.l2_gas }),
);

/**
 * Decodes `{gas_per_data_felt, event_key_factor, gas_per_code_byte, gas_per_proof?}`; a missing
 * `gas_per_proof` is 0.
 */
export const publicArchivalCosts: Decoder<ArchivalDataGasCosts> = convert(
  strictObject(
    { gas_per_data_felt: rational, event_key_factor: rational, gas_per_code_byte: rational },
    { gas_per_proof: rational },
  ),
  "archival data costs",
  (value) => ({
    gasPerDataFelt: value.gas_per_data_felt,
    eventKeyFactor: value.event_key_factor,
    gasPerCodeByte: value.gas_per_code_byte,
    gasPerProof: value.gas_per_proof ?? [0n, 1n],
  }),
);

const suffixedFeeNames = FEE_BUILTIN_NAMES.map((name) => `${name}_builtin` as const);

/**
 * Decodes rates per builtin, `{<name>_builtin: [numerator, denominator]}`; the result is keyed by `<name>`.
 */
export const publicBuiltinRates: Decoder<Readonly<Record<FeeBuiltinName, Rational>>> = convert(
  record(suffixedFeeNames, rational),
  "rates per builtin",
  (value) =>
    Object.fromEntries(FEE_BUILTIN_NAMES.map((name) => [name, value[`${name}_builtin`]])) as Record<
      FeeBuiltinName,
      Rational
    >,
);

/** Decodes `{max_data_length, max_keys_length, max_n_emitted_events}`. */
export const publicEventLimits = strictObject({
  max_data_length: count,
  max_keys_length: count,
  max_n_emitted_events: count,
});

/** Decodes `{validate_block_number_rounding, validate_timestamp_rounding}`. */
export const publicRounding = strictObject({
  validate_block_number_rounding: count,
  validate_timestamp_rounding: count,
});

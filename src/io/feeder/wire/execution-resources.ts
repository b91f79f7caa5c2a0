import {
  type Codec,
  integer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberPath,
  mismatch,
} from "#base/codec/index.ts";
import type { Receipt } from "#protocol/chain/index.ts";
import {
  BUILTIN_NAMES,
  type BuiltinName,
  compareProtocolVersions,
  type GasVector,
  type VmResources,
} from "#protocol/versions/index.ts";
import { field, members, optionalField } from "./members.ts";
import { gasAmount } from "./numbers.ts";

/** Which gas members the receipts of a protocol version have. */
export interface GasMembers {
  /** `data_availability`, since 0.13.1. */
  readonly dataAvailability: boolean;
  /** `total_gas_consumed`, since 0.13.2. */
  readonly total: boolean;
  /** `l2_gas` in both, since 0.13.4. */
  readonly l2Gas: boolean;
}

/** Returns which gas members the receipts of a protocol version have. */
export function gasMembersOf(protocolVersion: string): GasMembers {
  const isFrom = (version: string) => compareProtocolVersions(protocolVersion, version) >= 0;
  return { dataAvailability: isFrom("0.13.1"), total: isFrom("0.13.2"), l2Gas: isFrom("0.13.4") };
}

/** Parts of a receipt in `execution_resources`. */
export type ExecutionResources = Pick<Receipt, "gas" | "daGas" | "vmResources">;

const count = integer();

const NO_GAS: GasVector = { l1Gas: 0n, l1DataGas: 0n, l2Gas: 0n };

const gasVector: Codec<GasVector> = members("amounts of gas", {
  l1Gas: field("l1_gas", gasAmount),
  l1DataGas: field("l1_data_gas", gasAmount),
  l2Gas: optionalField("l2_gas", gasAmount, 0n),
});

/** Wire names of builtin counters, with their builtins. */
const COUNTERS: readonly (readonly [string, BuiltinName])[] = BUILTIN_NAMES.map((name) => [
  `${name}_builtin`,
  name,
]);

/** Decodes `execution_resources`; gas amounts missing in older receipts are 0. */
export function readExecutionResources(value: unknown, path: string): ExecutionResources {
  if (!isJsonObject(value)) return mismatch(path, "execution resources", value);
  return {
    gas: readGas(value, "total_gas_consumed", path),
    daGas: readGas(value, "data_availability", path),
    vmResources: {
      steps: count.decode(value["n_steps"], memberPath(path, "n_steps")),
      memoryHoles: count.decode(value["n_memory_holes"], memberPath(path, "n_memory_holes")),
      builtins: readBuiltins(
        value["builtin_instance_counter"],
        memberPath(path, "builtin_instance_counter"),
      ),
    },
  };
}

function readGas(value: Readonly<Record<string, unknown>>, name: string, path: string): GasVector {
  const member = value[name];
  return member === undefined ? NO_GAS : gasVector.decode(member, memberPath(path, name));
}

/** Ignores counters of unknown builtins: no hash depends on them. */
function readBuiltins(value: unknown, path: string): VmResources["builtins"] {
  if (!isJsonObject(value)) return mismatch(path, "object of counters", value);
  const builtins: Partial<Record<BuiltinName, number>> = {};
  for (const [name, builtin] of COUNTERS) {
    const member = value[name];
    if (member !== undefined) builtins[builtin] = count.decode(member, memberPath(path, name));
  }
  return builtins;
}

/**
 * Encodes `execution_resources`. Nonzero amounts are included even if receipts of the version do not have
 * them: followers must store what was charged. Executed Blake2s instructions have no name on the wire.
 */
export function writeExecutionResources(
  { gas, daGas, vmResources }: ExecutionResources,
  gasMembers: GasMembers,
): JsonValue {
  const counters: Record<string, JsonValue> = {};
  for (const [name, builtin] of COUNTERS) {
    const used = vmResources.builtins[builtin];
    if (used !== undefined) counters[name] = used;
  }
  return {
    n_steps: vmResources.steps,
    builtin_instance_counter: counters,
    n_memory_holes: vmResources.memoryHoles,
    data_availability: writeGas(daGas, gasMembers.dataAvailability, gasMembers.l2Gas),
    total_gas_consumed: writeGas(gas, gasMembers.total, gasMembers.l2Gas),
  };
}

function writeGas(gas: GasVector, isIncluded: boolean, hasL2Gas: boolean): JsonObject | undefined {
  const { l1Gas, l1DataGas, l2Gas } = gas;
  if (!isIncluded && l1Gas === 0n && l1DataGas === 0n && l2Gas === 0n) return undefined;
  return {
    l1_gas: gasAmount.encode(l1Gas),
    l1_data_gas: gasAmount.encode(l1DataGas),
    l2_gas: hasL2Gas || l2Gas !== 0n ? gasAmount.encode(l2Gas) : undefined,
  };
}

import { GAS_BUILTIN_NAMES, SYSCALL_NAMES, type SyscallName } from "./names.ts";
import type {
  OsConstants,
  ProtocolConstants,
  ProtocolConstantsData,
  SyscallGasCost,
  VmResources,
} from "./types.ts";

/** Sierra gas of `resources`: steps, holes and builtins at the prices of `os`. */
function sierraGasOf(resources: VmResources, os: OsConstants): bigint {
  let total =
    BigInt(resources.steps) * os.stepGasCost + BigInt(resources.memoryHoles) * os.memoryHoleGasCost;
  for (const name of GAS_BUILTIN_NAMES) {
    total += BigInt(resources.builtins[name] ?? 0) * os.builtinGasCosts[name];
  }
  return total;
}

/**
 * Sierra gas of a system call.
 *
 * Files up to 0.13.3 state it. Since 0.13.4 it is derived from the OS resources of the call, with the prepaid
 * base as minimum.
 */
function syscallGasCost(data: ProtocolConstantsData, name: SyscallName): SyscallGasCost {
  const stated = data.statedSyscallGasCosts?.[name];
  if (stated !== undefined) return { base: stated, linearFactor: 0n };
  const { constant, perCalldata } = data.osResources.syscalls[name];
  const derived = sierraGasOf(constant, data.os);
  const base = derived > data.os.syscallBaseGasCost ? derived : data.os.syscallBaseGasCost;
  return { base, linearFactor: sierraGasOf(perCalldata, data.os) };
}

/** Adds the derived prices to the data of `version`. */
export function resolveConstants(version: string, data: ProtocolConstantsData): ProtocolConstants {
  const costs = SYSCALL_NAMES.map((name) => [name, syscallGasCost(data, name)] as const);
  return {
    ...data,
    version,
    syscallGasCosts: Object.fromEntries(costs) as Record<SyscallName, SyscallGasCost>,
  };
}

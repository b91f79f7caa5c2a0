import type { ExecutableClass, StateDiff } from "#protocol/chain/index.ts";
import type { GasVector, VmResources } from "#protocol/versions/index.ts";
import {
  type BouncerWeights,
  type CallInfo,
  callsInOrder,
  emittedEvents,
  type FinishedBlock,
  sentMessages,
  type TransactionExecutionInfo,
} from "#engine/execution/index.ts";
import { feltsOf } from "#kernels/vm/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { LoadedClass } from "./classes.ts";

/** Any JSON value of a result. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

const hexes = (felts: Iterable<Felt>): string[] => [...felts].map(hexFromFelt);

const ascending = (felts: Iterable<Felt>): Felt[] =>
  [...felts].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

/** Converts a gas vector to the JSON of a scenario's result. */
export function gasJson(gas: GasVector): Json {
  return {
    l1_gas: Number(gas.l1Gas),
    l1_data_gas: Number(gas.l1DataGas),
    l2_gas: Number(gas.l2Gas),
  };
}

function countersJson(counters: CallInfo["primitiveCounters"]): Json {
  return Object.fromEntries(
    Object.entries(counters)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => [name === "blake" ? "blake_opcode" : name, count] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function resourcesJson(resources: VmResources): Json {
  return {
    n_steps: resources.steps,
    n_memory_holes: resources.memoryHoles,
    builtins: countersJson(resources.builtins),
    ...(resources.blake === undefined ? {} : { opcodes: { blake_opcode: resources.blake } }),
  };
}

function feltMapJson(map: ReadonlyMap<Felt, Felt>): Json {
  const keys = ascending(map.keys());
  return Object.fromEntries(
    keys.map((key) => [hexFromFelt(key), hexFromFelt(map.get(key) as Felt)]),
  );
}

/** Converts storage by contract to the JSON of a scenario's result, sorted. */
export function storageJson(storage: ReadonlyMap<Felt, ReadonlyMap<Felt, Felt>>): Json {
  const addresses = ascending(storage.keys());
  return Object.fromEntries(
    addresses.map((address) => [
      hexFromFelt(address),
      feltMapJson(storage.get(address) as ReadonlyMap<Felt, Felt>),
    ]),
  );
}

/** A state diff in the shape of the JSON-RPC specification, as sorted maps. */
export function stateDiffJson(diff: StateDiff): Json {
  const migrated = diff.migratedCompiledClasses;
  return {
    storage_diffs: storageJson(diff.storageDiffs),
    nonces: feltMapJson(diff.nonces),
    deployed_contracts: feltMapJson(diff.deployedContracts),
    replaced_classes: feltMapJson(diff.replacedClasses),
    declared_classes: feltMapJson(diff.declaredClasses),
    deprecated_declared_classes: hexes(ascending(diff.deprecatedDeclaredClasses)),
    ...(migrated.size > 0 ? { migrated_compiled_classes: feltMapJson(migrated) } : {}),
  };
}

/** Converts block weights to the JSON of a scenario's result. */
export function weightsJson(weights: BouncerWeights): Json {
  return {
    l1_gas: Number(weights.l1Gas),
    message_segment_length: Number(weights.messageSegmentLength),
    n_events: Number(weights.eventCount),
    n_txs: Number(weights.transactionCount),
    state_diff_size: Number(weights.stateDiffSize),
    sierra_gas: Number(weights.sierraGas),
    proving_gas: Number(weights.provingGas),
    receipt_l2_gas: Number(weights.receiptL2Gas),
  };
}

/**
 * Converts a call tree to the JSON of a scenario's result; lists that are usually empty are omitted
 * then.
 */
export function callJson(call: CallInfo | null): Json {
  if (call === null) return null;
  const optional = (name: string, values: Json[]): Record<string, Json> =>
    values.length > 0 ? { [name]: values } : {};
  const blocks = [...call.accessedBlocks].sort((a, b) => a - b);
  return {
    entry_point_type: call.entryPointType,
    call_type: call.callType,
    contract_address: hexFromFelt(call.contractAddress),
    class_hash: hexFromFelt(call.classHash),
    code_address: call.codeAddress === null ? null : hexFromFelt(call.codeAddress),
    entry_point_selector: hexFromFelt(call.entryPointSelector),
    caller_address: hexFromFelt(call.callerAddress),
    calldata: hexes(feltsOf(call.calldata)),
    result: hexes(feltsOf(call.result)),
    failed: call.failed,
    tracked_resource: call.trackedResource,
    initial_gas: Number(call.initialGas),
    gas_consumed: Number(call.gasConsumed),
    vm_resources: resourcesJson(call.vmResources),
    builtin_counters: countersJson(call.primitiveCounters),
    syscalls: Object.fromEntries(
      [...call.syscalls]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, usage]) => [name, [usage.calls, usage.linear]]),
    ),
    events: call.events.map(({ order, keys, data }) => ({
      order,
      keys: hexes(keys),
      data: hexes(data),
    })),
    messages: call.messages.map(({ order, toAddress, payload }) => ({
      order,
      to_address: hexFromFelt(toAddress),
      payload: hexes(payload),
    })),
    storage_read_values: hexes(call.storageReadValues),
    accessed_storage_keys: hexes(ascending(call.accessedStorageKeys)),
    ...optional("read_class_hash_values", hexes(call.readClassHashValues)),
    ...optional("accessed_contract_addresses", hexes(ascending(call.accessedContractAddresses))),
    ...optional("read_block_hash_values", hexes(call.readBlockHashValues)),
    ...optional("accessed_blocks", blocks),
    inner_calls: call.innerCalls.map(callJson),
  };
}

/** Converts the execution results of a transaction to the JSON of a scenario's result. */
export function receiptJson(info: TransactionExecutionInfo, isDeployAccount: boolean): Json {
  const { resources } = info;
  const calls = callsInOrder(isDeployAccount, info);
  const total = addForDisplay(resources.transaction, resources.os);
  const changes = resources.stateChanges;
  return {
    actual_fee: { amount: hexFromFelt(info.actualFee), unit: info.feeUnit },
    gas: gasJson(info.gas),
    da_gas: gasJson(info.daGas),
    resources: {
      total: resourcesJson(total),
      transaction: resourcesJson(resources.transaction),
      os: resourcesJson(resources.os),
      n_reverted_steps: resources.revertedSteps,
      sierra_gas: Number(resources.sierraGas),
      reverted_sierra_gas: Number(resources.revertedSierraGas),
      calldata_length: resources.calldataLength,
      signature_length: resources.signatureLength,
      code_size: resources.codeSize,
      n_events: resources.eventCount,
      event_keys: resources.eventKeys,
      event_data: resources.eventData,
      l2_to_l1_payload_lengths: resources.messagePayloadLengths,
      message_segment_length: resources.messageSegmentLength,
      l1_handler_payload_size: resources.l1HandlerPayloadSize,
      state_changes: {
        n_storage_updates: changes.storageUpdates,
        n_class_hash_updates: changes.classHashUpdates,
        n_compiled_class_hash_updates: changes.compiledClassHashUpdates,
        n_modified_contracts: changes.modifiedContracts,
        n_allocated_keys: changes.allocatedKeys,
      },
    },
    messages: sentMessages(calls).map((message) => ({
      from_address: hexFromFelt(message.fromAddress),
      to_address: hexFromFelt(message.toAddress),
      payload: hexes(message.payload),
    })),
    events: emittedEvents(calls).map((event) => ({
      from_address: hexFromFelt(event.fromAddress),
      keys: hexes(event.keys),
      data: hexes(event.data),
    })),
  };
}

function addForDisplay(a: VmResources, b: VmResources): VmResources {
  const builtins: Record<string, number> = { ...a.builtins };
  for (const [name, count] of Object.entries(b.builtins)) {
    builtins[name] = (builtins[name] ?? 0) + count;
  }
  return {
    steps: a.steps + b.steps,
    memoryHoles: a.memoryHoles + b.memoryHoles,
    builtins,
    ...(a.blake === undefined ? {} : { blake: a.blake }),
  };
}

/** Converts the effects of closing a block to the JSON of a scenario's result. */
export function blockEndJson(
  end: FinishedBlock,
  compressed: ReadonlyMap<Felt, ReadonlyMap<Felt, Felt>> | null,
): Json {
  const gas = (map: ReadonlyMap<Felt, bigint>): Json =>
    Object.fromEntries(
      ascending(map.keys()).map((hash) => [hexFromFelt(hash), Number(map.get(hash))]),
    );
  return {
    bouncer_weights: weightsJson(end.weights),
    storage_diffs: storageJson(end.stateDiff.storageDiffs),
    compiled_class_hashes: feltMapJson(
      new Map([...end.stateDiff.declaredClasses, ...end.stateDiff.migratedCompiledClasses]),
    ),
    compressed_storage_diffs: compressed === null ? null : storageJson(compressed),
    migrated_compiled_class_hashes: end.migratedCompiledClassHashes.map((pair) => hexes(pair)),
    casm_hash_sierra_gas: gas(end.casmHashSierraGas),
    casm_hash_proving_gas: gas(end.casmHashProvingGas),
    sierra_gas_without_casm_hash: Number(end.sierraGasWithoutCasmHash),
    proving_gas_without_casm_hash: Number(end.provingGasWithoutCasmHash),
  };
}

function bytecodeLength(executable: ExecutableClass): number {
  return (executable.casm ?? executable.program).bytecode.length;
}

/** Converts the hashes and sizes of a class to the JSON of a scenario's result. */
export function classJson(loaded: LoadedClass): Json {
  const { classHash, poseidonHash, blakeHash, executable } = loaded;
  const sierra = executable.casm === null ? undefined : executable;
  return {
    class_hash: hexFromFelt(classHash),
    compiled_class_hash_v1: poseidonHash === undefined ? null : hexFromFelt(poseidonHash),
    compiled_class_hash_v2: blakeHash === undefined ? null : hexFromFelt(blakeHash),
    sierra_version: (sierra?.sierraVersion ?? [0, 0, 0]).join("."),
    bytecode_length: bytecodeLength(executable),
    sierra_program_length: sierra?.sierraProgramLength ?? 0,
    abi_length: executable.abiLength,
  };
}

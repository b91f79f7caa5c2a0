import { readdirSync, readFileSync } from "node:fs";
import { parseJson } from "#base/codec/index.ts";
import type { BuiltinName, GasVector, VmResources } from "#protocol/versions/index.ts";
import type { TransactionResources } from "#engine/execution/index.ts";
import { fixturePath, SHARED } from "./shared.ts";

/** Three gas amounts in the format of results. */
export interface OracleGas {
  readonly l1_gas: number;
  readonly l1_data_gas: number;
  readonly l2_gas: number;
}

interface OracleVmResources {
  readonly n_steps: number;
  readonly n_memory_holes: number;
  readonly builtins: Readonly<Record<string, number>>;
  readonly opcodes?: Readonly<Record<string, number>>;
}

/** `receipt.resources` of a result. */
export interface OracleResources {
  readonly total: OracleVmResources;
  readonly transaction: OracleVmResources;
  readonly os: OracleVmResources;
  readonly n_reverted_steps: number;
  readonly sierra_gas: number;
  readonly reverted_sierra_gas: number;
  readonly calldata_length: number;
  readonly signature_length: number;
  readonly code_size: number;
  readonly n_events: number;
  readonly event_keys: number;
  readonly event_data: number;
  readonly l2_to_l1_payload_lengths: readonly number[];
  readonly message_segment_length: number;
  readonly l1_handler_payload_size: number | null;
  readonly state_changes: {
    readonly n_storage_updates: number;
    readonly n_class_hash_updates: number;
    readonly n_compiled_class_hash_updates: number;
    readonly n_modified_contracts: number;
    readonly n_allocated_keys: number;
  };
}

/** A state diff in the format of results. */
export interface OracleDiff {
  readonly storage_diffs: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly nonces: Readonly<Record<string, string>>;
  readonly deployed_contracts: Readonly<Record<string, string>>;
}

/** Members of a step's result that tests read. */
export interface OracleStepResult {
  readonly name?: string;
  readonly kind: string;
  readonly outcome: string;
  readonly transaction_hash?: string;
  readonly revert_reason?: string;
  readonly minimal_gas?: OracleGas;
  readonly state_diff?: OracleDiff;
  readonly receipt?: {
    readonly actual_fee: { readonly amount: string; readonly unit: string };
    readonly gas: OracleGas;
    readonly da_gas: OracleGas;
    readonly resources: OracleResources;
  };
}

/** Members of a result file that tests read. */
export interface OracleResult {
  readonly protocol_version: string;
  readonly steps: readonly OracleStepResult[];
  readonly state_diff: unknown;
  readonly block_end: unknown;
}

interface OraclePrice {
  readonly wei: number | string;
  readonly fri: number | string;
}

/** Members of a step that tests read. */
export interface OracleStep {
  readonly tx?: {
    readonly type: string;
    readonly version: string;
    readonly class_hash?: string;
    readonly tip?: number | string;
    readonly proof_facts?: readonly string[];
    readonly resource_bounds?: Readonly<Record<string, unknown>>;
  };
  readonly call?: { readonly commit?: boolean };
}

/** Members of a scenario file that tests read. */
export interface OracleScenario {
  readonly block: {
    readonly use_kzg_da?: boolean;
    readonly gas_prices: {
      readonly l1_gas: OraclePrice;
      readonly l1_data_gas: OraclePrice;
      readonly l2_gas: OraclePrice;
    };
  };
  readonly steps: readonly OracleStep[];
}

/** Names of all scenarios with a result, in order; a single placeholder without the fixtures. */
export function scenarioNames(): string[] {
  if (SHARED === undefined) return ["all scenarios"];
  return readdirSync(fixturePath("oracle"))
    .flatMap((file) => /^(.*)\.result\.json$/.exec(file)?.[1] ?? [])
    .sort();
}

/** Names of scenarios; of those that differ only in the protocol version, the newest. */
export function newestScenarioNames(): string[] {
  const newest = new Map(
    scenarioNames().map((name) => [name.replace(/_0_\d+_\d+(?=_|$)/, ""), name] as const),
  );
  return [...newest.values()];
}

/** Path of a scenario file. */
export function scenarioPath(name: string): string {
  return `${SHARED ?? ""}/oracle/scenarios/${name}.json`;
}

/** A scenario file. */
export function readScenario(name: string): OracleScenario {
  return parseJson(readFileSync(scenarioPath(name), "utf8")) as unknown as OracleScenario;
}

/** The reference engine's result for a scenario. */
export function readResult(name: string): OracleResult {
  const text = readFileSync(fixturePath("oracle", `${name}.result.json`), "utf8");
  return parseJson(text) as unknown as OracleResult;
}

/** Gas in the format of the engine. */
export function gasOf(gas: OracleGas): GasVector {
  return {
    l1Gas: BigInt(gas.l1_gas),
    l1DataGas: BigInt(gas.l1_data_gas),
    l2Gas: BigInt(gas.l2_gas),
  };
}

function vmOf(resources: OracleVmResources): VmResources {
  const blake = resources.opcodes?.["blake_opcode"];
  return {
    steps: resources.n_steps,
    memoryHoles: resources.n_memory_holes,
    builtins: resources.builtins as Partial<Record<BuiltinName, number>>,
    ...(blake === undefined ? {} : { blake }),
  };
}

/**
 * Recorded resources in the format of the engine.
 *
 * @param hasProof - whether the transaction has proof facts; the recording does not contain it
 */
export function resourcesOf(recorded: OracleResources, hasProof: boolean): TransactionResources {
  const changes = recorded.state_changes;
  return {
    transaction: vmOf(recorded.transaction),
    os: vmOf(recorded.os),
    revertedSteps: recorded.n_reverted_steps,
    sierraGas: BigInt(recorded.sierra_gas),
    revertedSierraGas: BigInt(recorded.reverted_sierra_gas),
    calldataLength: recorded.calldata_length,
    signatureLength: recorded.signature_length,
    codeSize: recorded.code_size,
    hasProof,
    eventCount: recorded.n_events,
    eventKeys: recorded.event_keys,
    eventData: recorded.event_data,
    messagePayloadLengths: recorded.l2_to_l1_payload_lengths,
    messageSegmentLength: recorded.message_segment_length,
    l1HandlerPayloadSize: recorded.l1_handler_payload_size,
    stateChanges: {
      storageUpdates: changes.n_storage_updates,
      classHashUpdates: changes.n_class_hash_updates,
      compiledClassHashUpdates: changes.n_compiled_class_hash_updates,
      modifiedContracts: changes.n_modified_contracts,
      allocatedKeys: changes.n_allocated_keys,
    },
  };
}

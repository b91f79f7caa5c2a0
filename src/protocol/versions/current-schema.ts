import { type Decoder, strictObject } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { type PublicFile, publicFile } from "./current-file.ts";
import { checkFixedOsConstants } from "./fixed-constants.ts";
import { evaluateForm, type LinearForms } from "./linear-forms.ts";
import { SYSCALL_NAMES, type SyscallName } from "./names.ts";
import type { ProtocolConstantsData } from "./types.ts";

/**
 * Reads a versioned constants file of the current public schema
 * (starkware-libs/sequencer, `crates/blockifier/resources`).
 *
 * @throws {DecodeError} at the first unknown, missing or wrong member
 */
export function readCurrentSchema(value: unknown, path: string): ProtocolConstantsData {
  const file = publicFile.decode(value, path);
  const at = path === "" ? "os_constants" : `${path}.os_constants`;
  checkFixedOsConstants(file.os_constants, at);
  const forms: LinearForms = new Map<string, unknown>([
    ...Object.entries(file.os_constants),
    ...Object.entries(file.os_constants.builtin_gas_costs),
  ]);
  const stated = file.os_constants.syscall_gas_costs;
  return {
    ...limitsOf(file),
    flags: flagsOf(file),
    os: osOf(file.os_constants, forms, at),
    osResources: {
      syscalls: file.os_resources.execute_syscalls,
      transactions: {
        declare: file.os_resources.execute_txs_inner.Declare,
        deployAccount: file.os_resources.execute_txs_inner.DeployAccount,
        invoke: file.os_resources.execute_txs_inner.InvokeFunction,
        l1Handler: file.os_resources.execute_txs_inner.L1Handler,
      },
      kzgCommitment: file.os_resources.compute_os_kzg_commitment_info,
    },
    ...(stated === undefined
      ? {}
      : { statedSyscallGasCosts: statedCosts(stated, forms, `${at}.syscall_gas_costs`) }),
  };
}

type Limits = Pick<
  ProtocolConstantsData,
  | "txEventLimits"
  | "gateway"
  | "invokeTxMaxSteps"
  | "validateMaxSteps"
  | "maxRecursionDepth"
  | "archivalDataGasCosts"
  | "allocationCost"
  | "vmResourceFeeCost"
  | "minSierraVersionForSierraGas"
>;

function limitsOf(file: PublicFile): Limits {
  return {
    txEventLimits: {
      maxDataLength: file.tx_event_limits.max_data_length,
      maxKeysLength: file.tx_event_limits.max_keys_length,
      maxEmittedEvents: file.tx_event_limits.max_n_emitted_events,
    },
    gateway: {
      maxCalldataLength: file.gateway.max_calldata_length,
      maxContractBytecodeSize: file.gateway.max_contract_bytecode_size,
      maxProofSize: file.gateway.max_proof_size ?? 0,
    },
    invokeTxMaxSteps: file.invoke_tx_max_n_steps,
    validateMaxSteps: file.validate_max_n_steps,
    maxRecursionDepth: file.max_recursion_depth,
    archivalDataGasCosts: {
      l1GasMode: file.deprecated_l2_resource_gas_costs,
      l2GasMode: file.archival_data_gas_costs,
    },
    allocationCost: {
      blob: file.allocation_cost.blob_cost,
      calldata: file.allocation_cost.gas_cost,
    },
    vmResourceFeeCost: {
      steps: file.vm_resource_fee_cost.n_steps,
      builtins: file.vm_resource_fee_cost.builtins,
    },
    minSierraVersionForSierraGas: file.min_sierra_version_for_sierra_gas,
  };
}

function flagsOf(file: PublicFile): ProtocolConstantsData["flags"] {
  return {
    disableCairo0Redeclaration: file.disable_cairo0_redeclaration,
    enableStatefulCompression: file.enable_stateful_compression,
    comprehensiveStateDiff: file.comprehensive_state_diff,
    blockDirectExecuteCall: file.block_direct_execute_call ?? false,
    ignoreInnerEventResources: file.ignore_inner_event_resources,
    disableDeployInValidationMode: file.disable_deploy_in_validation_mode ?? false,
    enableReverts: file.enable_reverts,
    enableCasmHashMigration: file.enable_casm_hash_migration ?? false,
    blockCasmHashV1Declares: file.block_casm_hash_v1_declares ?? false,
    stripVmFramesInSierraGas: file.strip_vm_frames_in_sierra_gas ?? false,
    enableTip: file.enable_tip ?? false,
    segmentArenaCells: file.segment_arena_cells,
  };
}

function osOf(
  os: PublicFile["os_constants"],
  forms: LinearForms,
  path: string,
): ProtocolConstantsData["os"] {
  const { ecop, blake, ...builtins } = os.builtin_gas_costs;
  const set = (list: readonly Felt[] = []): ReadonlySet<Felt> => new Set(list);
  return {
    allowedVirtualOsProgramHashes: set(os.allowed_virtual_os_program_hashes),
    allowedProofVersions: set(os.allowed_proof_versions),
    validateRounding: {
      blockNumber: os.validate_rounding_consts.validate_block_number_rounding,
      timestampSeconds: os.validate_rounding_consts.validate_timestamp_rounding,
    },
    executeMaxSierraGas: os.execute_max_sierra_gas,
    validateMaxSierraGas: os.validate_max_sierra_gas,
    stepGasCost: os.step_gas_cost,
    memoryHoleGasCost: os.memory_hole_gas_cost,
    builtinGasCosts: { ...builtins, ec_op: ecop },
    blakeGasCost: blake ?? 0n,
    syscallBaseGasCost: evaluateForm(
      forms,
      os.syscall_base_gas_cost,
      `${path}.syscall_base_gas_cost`,
    ),
    entryPointInitialBudget: evaluateForm(
      forms,
      os.entry_point_initial_budget,
      `${path}.entry_point_initial_budget`,
    ),
    defaultInitialGasCost: evaluateForm(
      forms,
      os.default_initial_gas_cost,
      `${path}.default_initial_gas_cost`,
    ),
    l1HandlerMaxAmountBounds: os.l1_handler_max_amount_bounds,
    contractAddresses: {
      blockHash: BigInt(os.os_contract_addresses.block_hash_contract_address),
      alias: BigInt(os.os_contract_addresses.alias_contract_address),
      reserved: BigInt(os.os_contract_addresses.reserved_contract_address),
    },
    storedBlockHashBuffer: os.stored_block_hash_buffer,
    v1BoundAccountsCairo0: set(os.v1_bound_accounts_cairo0),
    v1BoundAccountsCairo1: set(os.v1_bound_accounts_cairo1),
    v1BoundAccountsMaxTip: os.v1_bound_accounts_max_tip,
    dataGasAccounts: set(os.data_gas_accounts),
  };
}

/** Returns the prices that the file states; other syscalls have none. */
function statedCosts(
  value: unknown,
  forms: LinearForms,
  path: string,
): Readonly<Record<SyscallName, bigint>> {
  const form: Decoder<bigint> = {
    describe: "gas or linear form",
    decode: (entry, at) => evaluateForm(forms, entry, at),
  };
  const members = Object.fromEntries(SYSCALL_NAMES.map((name) => [name, form]));
  const costs = strictObject({}, members).decode(value, path);
  return Object.fromEntries(SYSCALL_NAMES.map((name) => [name, costs[name] ?? 0n])) as Record<
    SyscallName,
    bigint
  >;
}

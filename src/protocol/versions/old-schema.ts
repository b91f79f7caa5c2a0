import { checkFixedOsConstants } from "./fixed-constants.ts";
import { evaluateForm, type LinearForms } from "./linear-forms.ts";
import { FEE_BUILTIN_NAMES, SYSCALL_NAMES, type SyscallName } from "./names.ts";
import { constantResources, NO_RESOURCES } from "./public-shapes.ts";
import { type OldFile, oldFile, SYSCALL_GAS_NAMES } from "./old-file.ts";
import type {
  ArchivalDataGasCosts,
  GasVector,
  LinearResources,
  ProtocolConstantsData,
  Rational,
} from "./types.ts";

/** Syscalls whose old price includes the budget that is now charged when the callee starts. */
const CALLING: readonly SyscallName[] = ["CallContract", "Deploy", "LibraryCall"];

const UNLIMITED = 1_000_000_000;
const ZERO: Rational = [0n, 1n];
const NO_GAS: GasVector = { l1Gas: 0n, l1DataGas: 0n, l2Gas: 0n };
const NO_ARCHIVAL_COSTS: ArchivalDataGasCosts = {
  gasPerDataFelt: ZERO,
  eventKeyFactor: ZERO,
  gasPerCodeByte: ZERO,
  gasPerProof: ZERO,
};

/** L2 gas per L1 gas: 100 gas per step against 0.0025 L1 gas per step. */
const L2_GAS_PER_L1_GAS = 40_000n;

/**
 * Reads a versioned constants file of the schema used by chain configurations of the 0.13.0 to 0.13.2 era,
 * and converts it to the terms of the current engine.
 *
 * Two rules have changed since: the budget of an entry point is now charged when the callee starts, not in
 * the price of the call; keccak's OS resources now count per round. Of the two tables per transaction kind
 * the era's engine used `deprecated_resources`.
 *
 * @throws {DecodeError} at the first unknown, missing or wrong member
 */
export function readOldSchema(value: unknown, path: string): ProtocolConstantsData {
  const file = oldFile.decode(value, path);
  const at = path === "" ? "os_constants" : `${path}.os_constants`;
  const constants: Readonly<Record<string, unknown>> = file.os_constants;
  checkFixedOsConstants(constants, at);
  const forms: LinearForms = new Map(Object.entries(constants));
  const gasOf = (name: string): bigint => evaluateForm(forms, { [name]: 1 }, at);

  return {
    ...limitsOf(file),
    flags: {
      disableCairo0Redeclaration: file.disable_cairo0_redeclaration ?? false,
      enableStatefulCompression: false,
      comprehensiveStateDiff: false,
      blockDirectExecuteCall: false,
      ignoreInnerEventResources: false,
      disableDeployInValidationMode: false,
      enableReverts: false,
      enableCasmHashMigration: false,
      blockCasmHashV1Declares: false,
      stripVmFramesInSierraGas: false,
      enableTip: false,
      segmentArenaCells: file.segment_arena_cells ?? true,
    },
    os: osOf(file, gasOf),
    osResources: osResourcesOf(file),
    statedSyscallGasCosts: statedCosts(forms, gasOf),
  };
}

function limitsOf(file: OldFile) {
  const events = file.tx_event_limits;
  const archival = file.l2_resource_gas_costs ?? NO_ARCHIVAL_COSTS;
  const rates: Readonly<Record<string, Rational | undefined>> = file.vm_resource_fee_cost;
  return {
    txEventLimits: {
      maxDataLength: events?.max_data_length ?? UNLIMITED,
      maxKeysLength: events?.max_keys_length ?? UNLIMITED,
      maxEmittedEvents: events?.max_n_emitted_events ?? UNLIMITED,
    },
    gateway: {
      maxCalldataLength: file.gateway.max_calldata_length,
      maxContractBytecodeSize: file.gateway.max_contract_bytecode_size,
      maxProofSize: 0,
    },
    invokeTxMaxSteps: file.invoke_tx_max_n_steps,
    validateMaxSteps: file.validate_max_n_steps,
    maxRecursionDepth: file.max_recursion_depth,
    archivalDataGasCosts: {
      l1GasMode: archival,
      l2GasMode: {
        ...archival,
        gasPerDataFelt: inL2Gas(archival.gasPerDataFelt),
        gasPerCodeByte: inL2Gas(archival.gasPerCodeByte),
      },
    },
    allocationCost: { blob: NO_GAS, calldata: NO_GAS },
    vmResourceFeeCost: {
      steps: file.vm_resource_fee_cost.n_steps,
      builtins: Object.fromEntries(
        FEE_BUILTIN_NAMES.map((name) => [name, rates[`${name}_builtin`] ?? ZERO]),
      ) as ProtocolConstantsData["vmResourceFeeCost"]["builtins"],
    },
    minSierraVersionForSierraGas: [100, 0, 0],
  } as const;
}

function inL2Gas([numerator, denominator]: Rational): Rational {
  const product = numerator * L2_GAS_PER_L1_GAS;
  return product % denominator === 0n ? [product / denominator, 1n] : [product, denominator];
}

function osOf(file: OldFile, gasOf: (name: string) => bigint): ProtocolConstantsData["os"] {
  const rounding = file.os_constants.validate_rounding_consts;
  const hasBitwise = Object.hasOwn(file.os_constants, "bitwise_builtin_gas_cost");
  const initialGas = gasOf("initial_gas_cost");
  return {
    allowedVirtualOsProgramHashes: new Set(),
    allowedProofVersions: new Set(),
    validateRounding: {
      blockNumber: rounding?.validate_block_number_rounding ?? 1,
      timestampSeconds: rounding?.validate_timestamp_rounding ?? 1,
    },
    executeMaxSierraGas: initialGas,
    validateMaxSierraGas: initialGas,
    stepGasCost: gasOf("step_gas_cost"),
    memoryHoleGasCost: gasOf("memory_hole_gas_cost"),
    builtinGasCosts: {
      pedersen: 0n,
      range_check: gasOf("range_check_gas_cost"),
      ecdsa: 0n,
      bitwise: hasBitwise ? gasOf("bitwise_builtin_gas_cost") : 0n,
      ec_op: 0n,
      keccak: 0n,
      poseidon: 0n,
      range_check96: 0n,
      add_mod: 0n,
      mul_mod: 0n,
    },
    blakeGasCost: 0n,
    syscallBaseGasCost: gasOf("syscall_base_gas_cost"),
    entryPointInitialBudget: gasOf("entry_point_initial_budget"),
    defaultInitialGasCost: initialGas,
    l1HandlerMaxAmountBounds: { l1Gas: initialGas, l1DataGas: initialGas, l2Gas: initialGas },
    contractAddresses: {
      blockHash: BigInt(file.os_constants.block_hash_contract_address),
      alias: 2n,
      reserved: 3n,
    },
    storedBlockHashBuffer: file.os_constants.stored_block_hash_buffer,
    v1BoundAccountsCairo0: new Set(),
    v1BoundAccountsCairo1: new Set(),
    v1BoundAccountsMaxTip: 0n,
    dataGasAccounts: new Set(),
  };
}

function osResourcesOf(file: OldFile): ProtocolConstantsData["osResources"] {
  const { execute_syscalls: calls, execute_txs_inner: transactions } = file.os_resources;
  const nothing = constantResources(NO_RESOURCES);
  const syscalls = Object.fromEntries(
    SYSCALL_NAMES.map((name) => [name, calls[name] ?? nothing]),
  ) as Record<SyscallName, LinearResources>;
  if (calls.KeccakRound === undefined) {
    syscalls.KeccakRound = syscalls.Keccak;
    syscalls.Keccak = nothing;
  }
  return {
    syscalls,
    transactions: {
      declare: transactions.Declare.deprecated_resources,
      deployAccount: transactions.DeployAccount.deprecated_resources,
      invoke: transactions.InvokeFunction.deprecated_resources,
      l1Handler: transactions.L1Handler.deprecated_resources,
    },
    kzgCommitment: file.os_resources.compute_os_kzg_commitment_info ?? NO_RESOURCES,
  };
}

function statedCosts(
  forms: LinearForms,
  gasOf: (name: string) => bigint,
): Readonly<Record<SyscallName, bigint>> {
  const budget = gasOf("entry_point_initial_budget");
  const costs = SYSCALL_NAMES.map((name) => {
    const gasName = SYSCALL_GAS_NAMES[name];
    const cost = gasName !== undefined && forms.has(gasName) ? gasOf(gasName) : 0n;
    return [name, CALLING.includes(name) && cost > budget ? cost - budget : cost] as const;
  });
  return Object.fromEntries(costs) as Record<SyscallName, bigint>;
}

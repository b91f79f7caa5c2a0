import { array, bool, type Decoded, felt, json, strictObject } from "#base/codec/index.ts";
import { fixedOsConstants } from "./fixed-constants.ts";
import { SYSCALL_NAMES } from "./names.ts";
import {
  publicArchivalCosts,
  publicBuiltinRates,
  publicEventLimits,
  publicGasAmounts,
  publicLinearResources,
  publicRounding,
  publicVmResources,
} from "./public-shapes.ts";
import { count, gas, rational, record, release } from "./shapes.ts";

const osConstants = strictObject(
  {
    validate_rounding_consts: publicRounding,
    execute_max_sierra_gas: gas,
    validate_max_sierra_gas: gas,
    memory_hole_gas_cost: gas,
    step_gas_cost: gas,
    builtin_gas_costs: strictObject(
      {
        range_check: gas,
        range_check96: gas,
        keccak: gas,
        pedersen: gas,
        bitwise: gas,
        ecop: gas,
        poseidon: gas,
        add_mod: gas,
        mul_mod: gas,
        ecdsa: gas,
      },
      { blake: gas },
    ),
    syscall_base_gas_cost: json,
    entry_point_initial_budget: json,
    default_initial_gas_cost: json,
    l1_handler_max_amount_bounds: publicGasAmounts,
    os_contract_addresses: strictObject({
      block_hash_contract_address: count,
      alias_contract_address: count,
      reserved_contract_address: count,
    }),
    stored_block_hash_buffer: count,
    v1_bound_accounts_cairo0: array(felt),
    v1_bound_accounts_cairo1: array(felt),
    v1_bound_accounts_max_tip: felt,
    data_gas_accounts: array(felt),
  },
  {
    allowed_virtual_os_program_hashes: array(felt),
    allowed_proof_versions: array(felt),
    syscall_gas_costs: json,
    ...fixedOsConstants,
  },
);

/** Decoder of a versioned constants file in the current public schema. */
export const publicFile = strictObject(
  {
    tx_event_limits: publicEventLimits,
    gateway: strictObject(
      { max_calldata_length: count, max_contract_bytecode_size: count },
      { max_proof_size: count },
    ),
    invoke_tx_max_n_steps: count,
    validate_max_n_steps: count,
    max_recursion_depth: count,
    deprecated_l2_resource_gas_costs: publicArchivalCosts,
    archival_data_gas_costs: publicArchivalCosts,
    allocation_cost: strictObject({ blob_cost: publicGasAmounts, gas_cost: publicGasAmounts }),
    vm_resource_fee_cost: strictObject({ n_steps: rational, builtins: publicBuiltinRates }),
    disable_cairo0_redeclaration: bool,
    enable_stateful_compression: bool,
    comprehensive_state_diff: bool,
    ignore_inner_event_resources: bool,
    enable_reverts: bool,
    min_sierra_version_for_sierra_gas: release,
    segment_arena_cells: bool,
    os_constants: osConstants,
    os_resources: strictObject({
      execute_syscalls: record(SYSCALL_NAMES, publicLinearResources),
      execute_txs_inner: record(
        ["Declare", "DeployAccount", "InvokeFunction", "L1Handler"],
        publicLinearResources,
      ),
      compute_os_kzg_commitment_info: publicVmResources,
    }),
  },
  {
    block_direct_execute_call: bool,
    disable_deploy_in_validation_mode: bool,
    enable_casm_hash_migration: bool,
    block_casm_hash_v1_declares: bool,
    strip_vm_frames_in_sierra_gas: bool,
    enable_tip: bool,
  },
);

/** Contents of {@link publicFile}. */
export type PublicFile = Decoded<typeof publicFile>;

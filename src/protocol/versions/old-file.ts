import {
  bool,
  type Codec,
  type Decoded,
  json,
  type JsonValue,
  strictObject,
} from "#base/codec/index.ts";
import { fixedOsConstants } from "./fixed-constants.ts";
import { FEE_BUILTIN_NAMES, SYSCALL_NAMES, type SyscallName } from "./names.ts";
import {
  publicArchivalCosts,
  publicEventLimits,
  publicLinearResources,
  publicRounding,
  publicVmResources,
} from "./public-shapes.ts";
import { count, partialRecord, rational } from "./shapes.ts";

/** Names of the gas constants in the old schema, by the system call whose price each one is. */
export const SYSCALL_GAS_NAMES: Readonly<Partial<Record<SyscallName, string>>> = {
  CallContract: "call_contract_gas_cost",
  Deploy: "deploy_gas_cost",
  EmitEvent: "emit_event_gas_cost",
  GetBlockHash: "get_block_hash_gas_cost",
  GetExecutionInfo: "get_execution_info_gas_cost",
  Keccak: "keccak_gas_cost",
  KeccakRound: "keccak_round_cost_gas_cost",
  LibraryCall: "library_call_gas_cost",
  ReplaceClass: "replace_class_gas_cost",
  Secp256k1Add: "secp256k1_add_gas_cost",
  Secp256k1GetPointFromX: "secp256k1_get_point_from_x_gas_cost",
  Secp256k1GetXy: "secp256k1_get_xy_gas_cost",
  Secp256k1Mul: "secp256k1_mul_gas_cost",
  Secp256k1New: "secp256k1_new_gas_cost",
  Secp256r1Add: "secp256r1_add_gas_cost",
  Secp256r1GetPointFromX: "secp256r1_get_point_from_x_gas_cost",
  Secp256r1GetXy: "secp256r1_get_xy_gas_cost",
  Secp256r1Mul: "secp256r1_mul_gas_cost",
  Secp256r1New: "secp256r1_new_gas_cost",
  SendMessageToL1: "send_message_to_l1_gas_cost",
  Sha256ProcessBlock: "sha256_process_block_gas_cost",
  StorageRead: "storage_read_gas_cost",
  StorageWrite: "storage_write_gas_cost",
};

/** Gas constants from which others are composed. */
const BASE_GAS_NAMES = [
  "step_gas_cost",
  "memory_hole_gas_cost",
  "range_check_gas_cost",
  "syscall_base_gas_cost",
  "entry_point_initial_budget",
  "initial_gas_cost",
] as const;

/** Accepted without effect: prices of the old engine's own bookkeeping. */
const UNUSED_GAS_NAMES = [
  "bitwise_builtin_gas_cost",
  "entry_point_gas_cost",
  "fee_transfer_gas_cost",
  "transaction_gas_cost",
] as const;

const anyJson = (names: readonly string[]): Readonly<Record<string, Codec<JsonValue>>> =>
  Object.fromEntries(names.map((name) => [name, json]));

const osConstants = strictObject(
  { stored_block_hash_buffer: count, block_hash_contract_address: count },
  {
    ...anyJson(BASE_GAS_NAMES),
    ...anyJson(UNUSED_GAS_NAMES),
    ...anyJson(Object.values(SYSCALL_GAS_NAMES)),
    ...fixedOsConstants,
    validate_rounding_consts: publicRounding,
  },
);

const transactionResources = strictObject(
  { deprecated_resources: publicLinearResources },
  { resources: json },
);

/** Decoder of a versioned constants file in the schema of the 0.13.0 to 0.13.2 era. */
export const oldFile = strictObject(
  {
    gateway: strictObject({ max_calldata_length: count, max_contract_bytecode_size: count }),
    invoke_tx_max_n_steps: count,
    validate_max_n_steps: count,
    max_recursion_depth: count,
    os_constants: osConstants,
    os_resources: strictObject(
      {
        execute_syscalls: partialRecord(SYSCALL_NAMES, publicLinearResources),
        execute_txs_inner: strictObject({
          Declare: transactionResources,
          DeployAccount: transactionResources,
          InvokeFunction: transactionResources,
          L1Handler: transactionResources,
        }),
      },
      { compute_os_kzg_commitment_info: publicVmResources },
    ),
    vm_resource_fee_cost: strictObject(
      { n_steps: rational },
      Object.fromEntries(FEE_BUILTIN_NAMES.map((name) => [`${name}_builtin`, rational])),
    ),
  },
  {
    tx_event_limits: publicEventLimits,
    l2_resource_gas_costs: publicArchivalCosts,
    disable_cairo0_redeclaration: bool,
    segment_arena_cells: bool,
  },
);

/** Contents of {@link oldFile}. */
export type OldFile = Decoded<typeof oldFile>;

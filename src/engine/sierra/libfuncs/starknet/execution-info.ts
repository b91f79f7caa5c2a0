import {
  boxed,
  CONTRACT_ADDRESS,
  coreStruct,
  FELT,
  FELT_SPAN,
  spanOf,
  type TypeOf,
  U128,
  U32,
  U64,
} from "./types.ts";

const BLOCK_INFO = coreStruct("core::starknet::info::BlockInfo", [
  // Number and timestamp.
  U64,
  U64,
  // Sequencer address.
  CONTRACT_ADDRESS,
]);

const RESOURCE_BOUNDS_NAME = "core::starknet::info::v2::ResourceBounds";

/** Resource name, maximum amount, maximum price per unit. */
const RESOURCE_BOUNDS = coreStruct(RESOURCE_BOUNDS_NAME, [FELT, U64, U128]);

/** Version, account, maximum fee, signature, hash, chain id, nonce. */
const TX_INFO_MEMBERS: readonly TypeOf[] = [
  FELT,
  CONTRACT_ADDRESS,
  U128,
  FELT_SPAN,
  FELT,
  FELT,
  FELT,
];

/** Resource bounds, tip, paymaster data, both data availability modes, account deployment data. */
const TX_INFO_V2_MEMBERS: readonly TypeOf[] = [
  ...TX_INFO_MEMBERS,
  spanOf(RESOURCE_BOUNDS, RESOURCE_BOUNDS_NAME),
  U128,
  FELT_SPAN,
  U32,
  U32,
  FELT_SPAN,
];

/** Proof facts. */
const TX_INFO_V3_MEMBERS: readonly TypeOf[] = [...TX_INFO_V2_MEMBERS, FELT_SPAN];

/** Boxed result of `get_execution_info` and its later versions. */
function executionInfo(path: string, txInfoMembers: readonly TypeOf[]): TypeOf {
  const members = [
    boxed(BLOCK_INFO),
    boxed(coreStruct(`${path}::TxInfo`, txInfoMembers)),
    // Caller and contract.
    CONTRACT_ADDRESS,
    CONTRACT_ADDRESS,
    // Entry point selector.
    FELT,
  ];
  return boxed(coreStruct(`${path}::ExecutionInfo`, members));
}

/** Finds the result type of `get_execution_info_syscall` in a program. */
export const EXECUTION_INFO = executionInfo("core::starknet::info", TX_INFO_MEMBERS);
/** Finds the result type of `get_execution_info_v2_syscall` in a program. */
export const EXECUTION_INFO_V2 = executionInfo("core::starknet::info::v2", TX_INFO_V2_MEMBERS);
/** Finds the result type of `get_execution_info_v3_syscall` in a program. */
export const EXECUTION_INFO_V3 = executionInfo("core::starknet::info::v3", TX_INFO_V3_MEMBERS);

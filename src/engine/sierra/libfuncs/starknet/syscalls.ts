import type { LibfuncFamily } from "../../libfunc/specialization.ts";
import { boolType, u256Type } from "../shared/types.ts";
import { EXECUTION_INFO, EXECUTION_INFO_V2, EXECUTION_INFO_V3 } from "./execution-info.ts";
import { syscall } from "./syscall.ts";
import {
  boxedTuple,
  CLASS_HASH,
  CONTRACT_ADDRESS,
  FELT,
  FELT_SPAN,
  plain,
  spanOf,
  U32,
  U64,
} from "./types.ts";

const STORAGE_ADDRESS = plain("StorageAddress");
const SHA256_STATE = plain("Sha256StateHandle");
const SHA512_STATE = plain("Sha512StateHandle");

/** Words in a block of SHA-256 and SHA-512. */
const SHA_BLOCK_WORDS = 16;

/** Syscall libfuncs of Starknet, except those of the secp256 curves. */
export const SYSCALL_LIBFUNCS: LibfuncFamily = {
  // Contract, selector, calldata.
  call_contract_syscall: syscall("CallContract", [CONTRACT_ADDRESS, FELT, FELT_SPAN], [FELT_SPAN]),
  library_call_syscall: syscall("LibraryCall", [CLASS_HASH, FELT, FELT_SPAN], [FELT_SPAN]),
  // Contract, selector, calldata, signature.
  meta_tx_v0_syscall: syscall(
    "MetaTxV0",
    [CONTRACT_ADDRESS, FELT, FELT_SPAN, FELT_SPAN],
    [FELT_SPAN],
  ),
  // Class, salt, calldata, whether to ignore the deployer's address.
  deploy_syscall: syscall(
    "Deploy",
    [CLASS_HASH, FELT, FELT_SPAN, boolType],
    [CONTRACT_ADDRESS, FELT_SPAN],
  ),
  replace_class_syscall: syscall("ReplaceClass", [CLASS_HASH], []),
  get_class_hash_at_syscall: syscall("GetClassHashAt", [CONTRACT_ADDRESS], [CLASS_HASH]),
  // Domain, key.
  storage_read_syscall: syscall("StorageRead", [U32, STORAGE_ADDRESS], [FELT]),
  // Domain, key, value.
  storage_write_syscall: syscall("StorageWrite", [U32, STORAGE_ADDRESS, FELT], []),
  // Keys, data.
  emit_event_syscall: syscall("EmitEvent", [FELT_SPAN, FELT_SPAN], []),
  // Address, payload.
  send_message_to_l1_syscall: syscall("SendMessageToL1", [FELT, FELT_SPAN], []),
  // Block number.
  get_block_hash_syscall: syscall("GetBlockHash", [U64], [FELT]),
  get_execution_info_syscall: syscall("GetExecutionInfo", [], [EXECUTION_INFO]),
  get_execution_info_v2_syscall: syscall("GetExecutionInfo", [], [EXECUTION_INFO_V2]),
  get_execution_info_v3_syscall: syscall("GetExecutionInfo", [], [EXECUTION_INFO_V3]),
  keccak_syscall: syscall("Keccak", [spanOf(U64, "core::integer::u64")], [u256Type]),
  // State, block.
  sha256_process_block_syscall: syscall(
    "Sha256ProcessBlock",
    [SHA256_STATE, boxedTuple(U32, SHA_BLOCK_WORDS)],
    [SHA256_STATE],
  ),
  sha512_process_block_syscall: syscall(
    "Sha512ProcessBlock",
    [SHA512_STATE, boxedTuple(U64, SHA_BLOCK_WORDS)],
    [SHA512_STATE],
  ),
};

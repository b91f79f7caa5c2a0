import { BUILTIN_NAMES, type BuiltinName } from "#kernels/vm/index.ts";

export { BUILTIN_NAMES, type BuiltinName };

/** Builtins priced in Sierra gas. */
export const GAS_BUILTIN_NAMES = [
  "pedersen",
  "range_check",
  "ecdsa",
  "bitwise",
  "ec_op",
  "keccak",
  "poseidon",
  "range_check96",
  "add_mod",
  "mul_mod",
] as const satisfies readonly BuiltinName[];

/** One of {@link GAS_BUILTIN_NAMES}. */
export type GasBuiltinName = (typeof GAS_BUILTIN_NAMES)[number];

/** Builtins priced in L1 gas (`vm_resource_fee_cost`). */
export const FEE_BUILTIN_NAMES = [
  "output",
  ...GAS_BUILTIN_NAMES,
] as const satisfies readonly BuiltinName[];

/** One of {@link FEE_BUILTIN_NAMES}. */
export type FeeBuiltinName = (typeof FEE_BUILTIN_NAMES)[number];

/** System calls of both Cairo generations, by their names in the public files. */
export const SYSCALL_NAMES = [
  "CallContract",
  "DelegateCall",
  "DelegateL1Handler",
  "Deploy",
  "EmitEvent",
  "GetBlockHash",
  "GetBlockNumber",
  "GetBlockTimestamp",
  "GetCallerAddress",
  "GetClassHashAt",
  "GetContractAddress",
  "GetExecutionInfo",
  "GetSequencerAddress",
  "GetTxInfo",
  "GetTxSignature",
  "Keccak",
  "KeccakRound",
  "LibraryCall",
  "LibraryCallL1Handler",
  "MetaTxV0",
  "ReplaceClass",
  "Secp256k1Add",
  "Secp256k1GetPointFromX",
  "Secp256k1GetXy",
  "Secp256k1Mul",
  "Secp256k1New",
  "Secp256r1Add",
  "Secp256r1GetPointFromX",
  "Secp256r1GetXy",
  "Secp256r1Mul",
  "Secp256r1New",
  "SendMessageToL1",
  "Sha256ProcessBlock",
  "Sha512ProcessBlock",
  "StorageRead",
  "StorageWrite",
] as const;

/** One of {@link SYSCALL_NAMES}. */
export type SyscallName = (typeof SYSCALL_NAMES)[number];

/** Kinds of transactions with a fixed overhead in the OS. */
export const OS_TRANSACTION_KINDS = ["declare", "deployAccount", "invoke", "l1Handler"] as const;

/** One of {@link OS_TRANSACTION_KINDS}. */
export type OsTransactionKind = (typeof OS_TRANSACTION_KINDS)[number];

export { ENTRY_POINT_BUILTINS, isInBuiltinOrder, LEGACY_BUILTINS } from "./builtin-order.ts";
export { readPublicConstants } from "./public-schema.ts";
export { protocolRules, type ProtocolRules } from "./rules.ts";
export { BUILT_IN_CONSTANTS, type ConstantsTable, NEWEST_PROTOCOL_VERSION } from "./table.ts";
export {
  BUILTIN_NAMES,
  type BuiltinName,
  FEE_BUILTIN_NAMES,
  type FeeBuiltinName,
  GAS_BUILTIN_NAMES,
  type GasBuiltinName,
  OS_TRANSACTION_KINDS,
  type OsTransactionKind,
  SYSCALL_NAMES,
  type SyscallName,
} from "./names.ts";
export type {
  ArchivalDataGasCosts,
  GasVector,
  LinearResources,
  OsConstants,
  OsResources,
  ProtocolConstants,
  ProtocolConstantsData,
  ProtocolFlags,
  Rational,
  SyscallGasCost,
  VmResources,
} from "./types.ts";
export { compareProtocolVersions, isProtocolVersion } from "./version.ts";

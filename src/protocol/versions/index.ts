export { readPublicConstants } from "./public-schema.ts";
export { protocolRules, type ProtocolRules } from "./rules.ts";
export {
  BUILT_IN_CONSTANTS,
  type ConstantsTable,
  NEWEST_PROTOCOL_VERSION,
  protocolConstants,
} from "./table.ts";
export {
  type ArchivalDataGasCosts,
  BUILTIN_NAMES,
  type BuiltinName,
  FEE_BUILTIN_NAMES,
  type FeeBuiltinName,
  GAS_BUILTIN_NAMES,
  type GasBuiltinName,
  type GasVector,
  type LinearResources,
  OS_TRANSACTION_KINDS,
  type OsConstants,
  type OsResources,
  type OsTransactionKind,
  type ProtocolConstants,
  type ProtocolConstantsData,
  type ProtocolFlags,
  type Rational,
  SYSCALL_NAMES,
  type SyscallGasCost,
  type SyscallName,
  type VmResources,
} from "./types.ts";
export { compareProtocolVersions, isProtocolVersion } from "./version.ts";

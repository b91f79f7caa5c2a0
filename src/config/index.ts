export {
  DEFAULT_EXECUTION_MEMORY_MIB,
  MAX_EXECUTION_MEMORY_MIB,
  MIN_EXECUTION_MEMORY_MIB,
} from "./execution-memory.ts";
export {
  BUILT_IN_CONSTANTS,
  type ConstantsTable,
  NEWEST_PROTOCOL_VERSION,
  protocolConstants,
} from "./constants/table.ts";
export {
  type ArchivalDataGasCosts,
  BUILTIN_NAMES,
  type BuiltinName,
  FEE_BUILTIN_NAMES,
  type FeeBuiltinName,
  GAS_BUILTIN_NAMES,
  type GasVector,
  type GasBuiltinName,
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
} from "./constants/types.ts";
export { type ProtocolRules, protocolRules } from "./constants/rules.ts";
export { readPublicConstants } from "./constants/public-schema.ts";
export { compareProtocolVersions, isProtocolVersion } from "./constants/version.ts";
export {
  type BlockCapacity,
  type BlockProductionConcurrency,
  BOUNCER_BUILTIN_NAMES,
  type BouncerBuiltinName,
  type BouncerConfig,
  BUILTIN_WEIGHT_NAMES,
  type BuiltinWeightName,
  type ChainConfig,
  type GenesisBalance,
  type GenesisClass,
  type GenesisClassReference,
  type GenesisClassSource,
  type GenesisConfig,
  type GenesisContract,
  type L2GasPriceConfig,
  SHIPPED_CONTRACTS,
  type ShippedContract,
} from "./chain-config.ts";
export { DURATION_FORM, formatDurationMs, parseDurationMs } from "./duration.ts";
export { genesisHash } from "./genesis-hash.ts";
export { chainConfigYaml, constantsOf, loadChainConfig } from "./load.ts";
export {
  type ChainConfigSource,
  type ConfigNotice,
  type ConfigOverride,
  DEFAULT_SEQUENCER_ADDRESS,
  type LoadedChainConfig,
} from "./source.ts";
export { editDistance, nearest } from "./nearest.ts";
export {
  type CorsOrigins,
  DEFAULT_FIXED_PRICES,
  type DevAccountOptions,
  type GasPriceOptions,
  type ListenAddress,
  type NodeOptions,
  type RpcOptions,
  type StartedNode,
} from "./node-options.ts";
export { isPresetName, type PresetName, PRESETS } from "./presets.ts";

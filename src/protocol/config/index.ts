export { MAX_ADMISSION_THREADS } from "./admission-threads.ts";
export type {
  ChainConfig,
  GenesisClass,
  GenesisClassSource,
  GenesisContract,
  ShippedContract,
} from "./chain-config.ts";
export {
  DEFAULT_COMPILER_MEMORY_MIB,
  MAX_COMPILER_MEMORY_MIB,
  MIN_COMPILER_MEMORY_MIB,
} from "./compiler-memory.ts";
export { publicCoreContract, type PublicCoreContract } from "./core-contract.ts";
export { DURATION_FORM, formatDurationMs, parseDurationMs } from "./duration.ts";
export {
  defaultExecutionMemoryMib,
  FULL_EXECUTION_MEMORY_MIB,
  MAX_EXECUTION_MEMORY_MIB,
  MIN_EXECUTION_MEMORY_MIB,
} from "./execution-memory.ts";
export { genesisHash } from "./genesis-hash.ts";
export { chainConfigYaml, constantsOf, loadChainConfig } from "./load.ts";
export { PRESETS } from "./presets.ts";
export { PUBLIC_ADDRESSES } from "./public-addresses.ts";
export type {
  ChainConfigSource,
  ConfigNotice,
  ConfigOverride,
  LoadedChainConfig,
} from "./source.ts";
export {
  DEFAULT_KEPT_PROOFS,
  DEFAULT_TRIE_CACHE_MIB,
  MAX_KEPT_BLOCKS,
  MAX_TRIE_CACHE_MIB,
  MIN_KEPT_STATES,
  MIN_TRIE_CACHE_MIB,
} from "./retention.ts";

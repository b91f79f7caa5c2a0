export type { CompilerSettings } from "./compiler/compiler-settings.ts";
export { type RunningReplayCompiler, startReplayCompiler } from "./compiler/replay-compiler.ts";
export {
  DEFAULT_FIXED_PRICES,
  type DevAccountOptions,
  type DevnetOptions,
  type DumpOptions,
  type GasPriceOptions,
  type ListenAddress,
  type NodeOptions,
  type RpcOptions,
  type StartedNode,
  type StorageOptions,
} from "./setup/node-options.ts";
export type { ForkOptions } from "./setup/fork.ts";
export type { L1Options, OracleOptions } from "./setup/l1-options.ts";
export type { ReplicationOptions, StandbyOptions } from "./setup/replication.ts";
export {
  type FollowOptions,
  type GatewayUrls,
  followStore,
  gatewayUrlsAt,
  type SyncVerification,
} from "./setup/follow.ts";
export { checkGenesis } from "./storage/folder/shipped-contracts.ts";
export { startNode } from "./node.ts";
export {
  DATABASE_SUFFIXES,
  IMPORT_FOLDER,
  MOVED_CHAIN,
  OWN_FILES,
  RESTORE_FOLDER,
} from "./storage/folder/own-files.ts";
export { forkBlockText, forkOfChain, LOCAL_ROOTS } from "./storage/folder/fork-metadata.ts";
export { keepImported } from "./storage/folder/imported-chain.ts";
export { publishedBlocks } from "./storage/folder/published-blocks.ts";
export { nodeFiles } from "./setup/node-files.ts";
export { loadSigningKey } from "./storage/folder/signing-key.ts";

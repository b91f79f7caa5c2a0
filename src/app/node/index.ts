export { type RunningReplayCompiler, startReplayCompiler } from "./compiler/replay-compiler.ts";
export { runCompilerProcess } from "./compiler/run-child.ts";
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
} from "./node-options.ts";
export { checkGenesis } from "./shipped-contracts.ts";
export { startNode } from "./start.ts";
export { BESIDE, OWN_FILES, RESTORE_FOLDER } from "./own-files.ts";
export { nodeFiles } from "./setup.ts";
export { loadSigningKey } from "./signing-key.ts";

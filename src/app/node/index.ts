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
} from "./node-options.ts";
export { checkGenesis } from "./shipped-contracts.ts";
export { startNode } from "./start.ts";

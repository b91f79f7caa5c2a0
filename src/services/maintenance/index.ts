export {
  checkChain,
  type CheckOptions,
  type CheckProgress,
  type CheckResult,
} from "./check-chain.ts";
export type { Recompile } from "./check-classes.ts";
export type { OtherChainId } from "./check-file.ts";
export type { Difference } from "./difference.ts";

export { type Difference, type TransactionPlace } from "./difference.ts";
export type { Compilation, ReplayCompiler } from "./class-compiler.ts";
export {
  Replayer,
  type ReplayOutcome,
  type ReplayDeps,
  type ReplaySettings,
} from "./replay-block.ts";
export type { ReplayPort } from "./source.ts";

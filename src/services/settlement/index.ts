/**
 * Settlement for development: posts state updates of accepted blocks to a core contract whose verifier trusts
 * its operators. No proof is generated.
 */
export type {
  AcceptedBlocks,
  CoreOperator,
  CoreRules,
  SettledBlock,
  SettledRange,
  StateUpdate,
} from "./ports.ts";
export { stateUpdate } from "./program-output.ts";
export { Settler, type SettlerDeps } from "./settler.ts";

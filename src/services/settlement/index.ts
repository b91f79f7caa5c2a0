/**
 * Settlement for development: state updates of accepted blocks go to a core contract whose verifier
 * believes its operators. No proof is made.
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

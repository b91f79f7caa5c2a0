import type { Environment } from "./environment.ts";
import type { References } from "./reference-value.ts";

/** Known state at a statement before it runs. */
export interface StatementState {
  readonly refs: References;
  readonly functionId: number;
  /** Whether several paths may lead to it. */
  readonly mayConverge: boolean;
  readonly environment: Environment;
}

/** Copies a state; the copy has a separate map of variables. */
export function copiedState(state: StatementState): StatementState {
  return { ...state, refs: new Map(state.refs) };
}

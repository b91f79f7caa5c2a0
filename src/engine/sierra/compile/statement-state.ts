import type { Environment } from "./environment.ts";
import type { References } from "./reference-value.ts";

/** What is known at a statement before it runs. */
export interface StatementState {
  readonly refs: References;
  /** The function that it belongs to. */
  readonly functionId: number;
  /** Whether several ways may lead to it. */
  readonly mayConverge: boolean;
  readonly environment: Environment;
}

/** The same state, with variables of its own. */
export function copiedState(state: StatementState): StatementState {
  return { ...state, refs: new Map(state.refs) };
}

import { isIndependentOfAp } from "../casm/cell-expression.ts";
import { CompileError } from "../compile-error.ts";
import type { ApTracking } from "../libfunc/invocation-builder.ts";
import type { ApEffect, BranchChange, OutputValue } from "./branch-change.ts";
import { trackingAfter } from "./environment.ts";
import { walletAfter } from "./gas-wallet.ts";
import { cellsAfter, type References, type ReferenceValue } from "./reference-value.ts";
import type { StatementState } from "./statement-state.ts";

/** Path from a statement to a successor. */
export interface Edge {
  readonly source: number;
  readonly destination: number;
  /** Variables that the branch defines. */
  readonly results: readonly number[];
  /** Whether it is one of several branches: no other path may lead to its destination. */
  readonly isFork: boolean;
}

/**
 * Computes the state at the target of a branch.
 *
 * @param state - state at its source, without the arguments; its variables are changed in place
 * @throws {CompileError} SIERRA_INVALID when a variable is lost or overwritten, when gas runs out, or when
 *   tracking is enabled twice
 */
export function stateAfter(
  state: StatementState,
  edge: Edge,
  change: BranchChange,
): StatementState {
  const { refs, environment } = state;
  moveReferences(refs, change, environment.stackSize);
  addOutputs(refs, edge, change.outputs);
  const { wallet } = environment;
  return {
    refs,
    functionId: state.functionId,
    mayConverge: !edge.isFork,
    environment: {
      apTracking: changedTracking(environment.apTracking, change.ap, edge.destination),
      stackSize: settleStack(refs, change.stackSize),
      frame: environment.frame,
      wallet: wallet === undefined ? undefined : walletAfter(wallet, change.gas),
    },
  };
}

/**
 * Updates references for a branch. Cells relative to `ap` are shifted by the change of `ap`. If the branch
 * changes the stack in any other way than by pushing new variables, all values lose their known stack
 * positions.
 *
 * @throws {CompileError} SIERRA_INVALID when a cell relative to `ap` can no longer be addressed
 */
function moveReferences(refs: References, change: BranchChange, stackSize: number): void {
  const clears = change.clearsStack && stackSize > 0;
  const moved = change.ap.cells;
  if (!clears && moved === 0) return;
  refs.forEach((value, variable) => {
    const stackIndex = clears ? undefined : value.stackIndex;
    const cells = movedCells(variable, value, moved);
    if (cells === value.cells && stackIndex === value.stackIndex) return;
    const { type, introduction } = value;
    refs.set(variable, { cells, type, stackIndex, introduction });
  });
}

function movedCells(
  variable: number,
  { cells }: ReferenceValue,
  moved: number | undefined,
): ReferenceValue["cells"] {
  if (cells.every(isIndependentOfAp)) return cells;
  if (moved === undefined) {
    return refuse(`variable ${variable} is lost: ap moves by an unknown number of cells`);
  }
  if (moved === 0) return cells;
  return cellsAfter(cells, moved) ?? refuse(`variable ${variable} is too far away from ap`);
}

function addOutputs(refs: References, edge: Edge, outputs: readonly OutputValue[]): void {
  const { source, destination, results } = edge;
  outputs.forEach(({ cells, type, stackIndex, introduction }, output) => {
    const variable = results[output];
    if (variable === undefined) refuse("a branch defines other variables than its libfunc");
    if (refs.has(variable)) refuse(`variable ${variable} is overwritten`);
    const origin = introduction ?? { source, destination, output };
    refs.set(variable, { cells, type, stackIndex, introduction: origin });
  });
}

/**
 * Determines the known part of the stack: the values above the topmost consumed one, renumbered from 0.
 *
 * @param size - size of the stack if nothing were consumed
 * @returns the new size
 */
function settleStack(refs: References, size: number): number {
  if (size === 0) return 0;
  const isPresent = new Uint8Array(size);
  refs.forEach(({ stackIndex }) => {
    if (stackIndex !== undefined) isPresent[stackIndex] = 1;
  });
  const removed = isPresent.lastIndexOf(0) + 1;
  if (removed === 0) return size;
  refs.forEach(({ cells, type, stackIndex, introduction }, variable) => {
    if (stackIndex === undefined) return;
    const index = stackIndex < removed ? undefined : stackIndex - removed;
    refs.set(variable, { cells, type, stackIndex: index, introduction });
  });
  return size - removed;
}

function changedTracking(tracking: ApTracking, ap: ApEffect, destination: number): ApTracking {
  switch (ap.tracking) {
    case "keep":
      return trackingAfter(tracking, ap.cells);
    case "disable":
      return { kind: "disabled" };
    case "enable":
      if (tracking.kind === "enabled") refuse("the tracking of ap is enabled already");
      return { kind: "enabled", base: destination, cells: 0 };
  }
}

function refuse(message: string): never {
  throw new CompileError("SIERRA_INVALID", message);
}

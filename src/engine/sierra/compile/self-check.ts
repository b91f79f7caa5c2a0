import { invariant } from "#base/errors/index.ts";
import type { BuilderState } from "../casm/builder-state.ts";
import { cellWithOffset } from "../casm/cell-expression.ts";
import type { ApChange } from "../libfunc/ap-change.ts";
import { constGas, type CostToken } from "../libfunc/branch-cost.ts";
import type { CostCheck } from "../libfunc/invocation-builder.ts";

/**
 * Checks that the generated code of a libfunc changes `ap` as the libfunc declares, on each branch.
 *
 * @param states - states at the end of each branch of the code
 * @throws {InvariantError} when it does not
 */
export function requireApChanges(
  expected: readonly ApChange[],
  states: readonly BuilderState[],
): void {
  const isAsDeclared =
    expected.length === states.length &&
    expected.every((each, i) => each.kind === "known" && each.cells === states[i]?.apChange);
  invariant(isAsDeclared, `code moves ap by ${states.map(({ apChange }) => apChange).join(", ")}`);
}

/**
 * Checks that the generated code of a libfunc uses the steps and range checks that the libfunc
 * declares, on each branch.
 *
 * @param expected - gas per branch
 * @param before - gas of the preceding code
 * @throws {InvariantError} when it does not
 */
export function requireCosts(
  expected: readonly ReadonlyMap<CostToken, number>[],
  states: readonly BuilderState[],
  { builtins = [], extra }: CostCheck,
  before: number,
): void {
  const actual = states.map((state, i) => {
    let gas = constGas({ steps: state.steps }) + before + (extra?.[i] ?? 0);
    for (const { token, start, end } of builtins) {
      const used = distance(state, start, end);
      gas += constGas(token === "RangeCheck" ? { rangeChecks: used } : { rangeChecks96: used });
    }
    return gas;
  });
  const isAsDeclared =
    expected.length === actual.length &&
    expected.every((costs, i) => (costs.get("Const") ?? 0) === actual[i]);
  invariant(isAsDeclared, `code costs ${actual.join(", ")}`);
}

type Var = Parameters<BuilderState["get"]>[0];

/** Number of cells by which a builtin pointer advances from variable `start` to variable `end`. */
function distance(state: BuilderState, start: Var, end: Var): number {
  const from = cellWithOffset(state.get(start));
  const to = cellWithOffset(state.get(end));
  invariant(from !== undefined && to !== undefined, "a builtin pointer is a cell with an offset");
  invariant(
    from.cell.register === to.cell.register && from.cell.offset === to.cell.offset,
    "a builtin pointer stays the same but for its offset",
  );
  return Number(to.offset - from.offset);
}

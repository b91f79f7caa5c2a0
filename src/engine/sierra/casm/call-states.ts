import { BuilderState, type Var } from "./builder-state.ts";
import { adjustedExpression, type CellExpression } from "./cell-expression.ts";
import { type CellRef, deref, fpCell, type Register } from "./operand.ts";

/** A call writes two cells and moves `ap` past them. */
const CALL_CELLS = 2;

/**
 * State at the start of called code: all values relative to `ap`, which become relative to the callee's `fp`.
 */
export function calledState(state: BuilderState): BuilderState {
  const called = new BuilderState();
  for (const [variable, value] of state.vars) {
    if (!isKnownIn("ap", value)) continue;
    const moved = adjustedExpression(value, state.apChange + CALL_CELLS);
    called.vars.set(variable, relativeToFp(moved));
  }
  return called;
}

/** Variables still known after a call: all values relative to `fp`. */
export function callerVars(state: BuilderState): Map<Var, CellExpression> {
  return new Map([...state.vars].filter(([, value]) => isKnownIn("fp", value)));
}

/** Whether a value can be expressed with the register; immediates always can. */
function isKnownIn(register: Register, value: CellExpression): boolean {
  switch (value.kind) {
    case "immediate":
      return true;
    case "deref":
    case "double_deref":
      return value.cell.register === register;
    case "bin_op":
      if (value.b.kind === "immediate") return true;
      return value.a.register === register && value.b.cell.register === register;
  }
}

function relativeToFp(value: CellExpression): CellExpression {
  const moved = ({ offset }: CellRef) => fpCell(offset);
  switch (value.kind) {
    case "immediate":
      return value;
    case "deref":
    case "double_deref":
      return { ...value, cell: moved(value.cell) };
    case "bin_op": {
      const b = value.b.kind === "deref" ? deref(moved(value.b.cell)) : value.b;
      return { ...value, a: moved(value.a), b };
    }
  }
}

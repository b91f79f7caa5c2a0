import { invariant } from "#base/errors/index.ts";
import { adjustedOperand, assertion } from "./assertion.ts";
import type { Var } from "./builder-state.ts";
import { type CellExpression, type CellOperator, cellWithOffset } from "./cell-expression.ts";
import { CodeFlow } from "./code-flow.ts";
import type { HintOperand } from "./hint.ts";
import type { InstructionBody } from "./instruction.ts";
import {
  adjustedCell,
  apCell,
  type CellRef,
  deref,
  type DerefOrImmediate,
  fpCell,
  immediate,
  isOffset,
  type ResOperand,
} from "./operand.ts";

/**
 * Assembler for the code of one libfunc: adds variables to {@link CodeFlow}. Values that are not stored yet
 * are expressions.
 */
export class CasmBuilder extends CodeFlow {
  constant(value: bigint | number): Var {
    return this.add(immediate(value));
  }

  /** Creates a variable with the same value, unaffected by later changes of the original. */
  copy(variable: Var): Var {
    return this.add(this.state.get(variable));
  }

  /** Allocates the next cell above `ap`, and writes `value` to it if set. */
  tempvar(value?: Var): Var {
    return this.#take(apCell(this.state.allocated), value);
  }

  /** Allocates the next cell above `fp`, and writes `value` to it if set. */
  localvar(value?: Var): Var {
    return this.#take(fpCell(this.state.allocated), value);
  }

  #take(cell: CellRef, value: Var | undefined): Var {
    const variable = this.add(deref(cell));
    this.state.allocated++;
    if (value !== undefined) this.assertEq(variable, value);
    return variable;
  }

  /** Creates a variable whose value is in a cell: the existing cell if it has one, else a new one. */
  maybeTempvar(variable: Var): Var {
    const value = this.state.get(variable);
    if (value.kind === "deref") return this.add(value);
    if (value.kind === "bin_op" && value.b.kind === "immediate") {
      const neutral = value.op === "add" || value.op === "sub" ? 0n : 1n;
      if (value.b.value === neutral) return this.add(deref(value.a));
    }
    return this.tempvar(variable);
  }

  /** `a + b`; `a` must be a cell, or a cell plus a number if `b` is a number, too. */
  sum(a: Var, b: Var): Var {
    return this.#operation("add", a, b);
  }

  difference(a: Var, b: Var): Var {
    return this.#operation("sub", a, b);
  }

  product(a: Var, b: Var): Var {
    return this.#operation("mul", a, b);
  }

  /** `a / b`; `b` must not be zero. */
  quotient(a: Var, b: Var): Var {
    return this.#operation("div", a, b);
  }

  #operation(op: CellOperator, a: Var, b: Var): Var {
    const left = this.state.get(a);
    const right = this.state.get(b);
    if (left.kind === "deref") {
      invariant(isDerefOrImmediate(right), "the second operand is a cell or a number");
      return this.add({ kind: "bin_op", op, a: left.cell, b: right });
    }
    const parts = cellWithOffset(left);
    invariant(
      parts !== undefined && op === "add" && right.kind === "immediate",
      "the first operand is a cell, or a cell plus a number to which another is added",
    );
    const sum = immediate(parts.offset + right.value);
    return this.add({ kind: "bin_op", op, a: parts.cell, b: sum });
  }

  /** `[pointer + offset]`; `pointer` must be a cell, or a cell plus a small number. */
  at(pointer: Var, offset = 0): Var {
    const { cell, offset: own } = this.#pointer(pointer, offset);
    return this.add({ kind: "double_deref", cell, offset: own });
  }

  /** `[pointer++]`: reads the target of the pointer and increments it. */
  next(pointer: Var): Var {
    const { cell, offset } = this.#pointer(pointer, 0);
    this.state.vars.set(pointer, {
      kind: "bin_op",
      op: "add",
      a: cell,
      b: immediate(offset + 1),
    });
    return this.add({ kind: "double_deref", cell, offset });
  }

  /** `assert target = value`; `target` must be a cell. */
  assertEq(target: Var, value: Var, kind: "assert_eq" | "qm31_assert_eq" = "assert_eq"): void {
    const { a, b } = assertion(this.cell(target), this.state.get(value));
    const { apChange } = this.state;
    const body: InstructionBody = {
      kind,
      a: adjustedCell(a, apChange),
      b: adjustedOperand(b, apChange),
    };
    this.push(body, true);
  }

  /** Emits an assertion that cannot hold; no code follows it. */
  assertNever(target: Var, value: Var): void {
    this.assertEq(target, value);
    this.isReachable = false;
  }

  /** Emits an assertion that never holds: `[fp - 1]` equals itself plus one. */
  fail(): void {
    const cell = fpCell(-1);
    this.push(
      { kind: "assert_eq", a: cell, b: { kind: "bin_op", op: "add", a: cell, b: immediate(1) } },
      false,
    );
    this.isReachable = false;
  }

  /** Adds a hint before the next instruction. Inputs are values, outputs are cells. */
  hint(
    name: string,
    inputs: Readonly<Record<string, Var>> = {},
    outputs: Readonly<Record<string, Var>> = {},
  ): void {
    const fields: (readonly [string, HintOperand])[] = [];
    for (const [field, variable] of Object.entries(inputs)) {
      fields.push([field, { kind: "input", value: this.#operand(variable) }]);
    }
    for (const [field, variable] of Object.entries(outputs)) {
      fields.push([field, { kind: "output", cell: this.adjustedCell(variable) }]);
    }
    this.addHint({ name, fields });
  }

  #operand(variable: Var): ResOperand {
    const value = this.state.get(variable);
    if (value.kind !== "bin_op") return adjustedOperand(value, this.state.apChange);
    const { op, a, b } = value;
    invariant(op === "add" || op === "mul", "a hint reads no difference or quotient");
    return adjustedOperand({ kind: "bin_op", op, a, b }, this.state.apChange);
  }

  #pointer(variable: Var, further: number): { readonly cell: CellRef; readonly offset: number } {
    const parts = cellWithOffset(this.state.get(variable));
    invariant(parts !== undefined, "a variable that is a pointer");
    const own = Number(parts.offset);
    const offset = own + further;
    invariant(isOffset(own) && isOffset(offset), "the offset of a pointer fits");
    return { cell: parts.cell, offset };
  }
}

function isDerefOrImmediate(value: CellExpression): value is DerefOrImmediate {
  return value.kind === "deref" || value.kind === "immediate";
}

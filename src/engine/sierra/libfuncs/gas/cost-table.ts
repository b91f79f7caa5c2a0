import type { Var } from "../../casm/builder-state.ts";
import type { CasmBuilder } from "../../casm/casm-builder.ts";
import { apCell, immediate } from "../../casm/operand.ts";
import { constGas, PRECOST_TOKENS, type PrecostToken } from "../../libfunc/branch-cost.ts";
import type { InvocationBuilder, PlainCode } from "../../libfunc/invocation-builder.ts";

/** Offset of each builtin's cost in the cost table. */
const TABLE_OFFSETS: Readonly<Record<PrecostToken, number>> = {
  Pedersen: 0,
  Bitwise: 1,
  EcOp: 2,
  Poseidon: 3,
  AddMod: 4,
  MulMod: 5,
  Blake: 6,
};

/** Cells and steps of {@link fetchTable}. */
const FETCH_STEPS = 3;

/** Gas that a statement withdraws or returns: the constant part, and the uses of builtins. */
export interface RequestedGas {
  readonly steady: number;
  readonly builtins: readonly { readonly token: PrecostToken; readonly times: number }[];
}

/**
 * Returns the gas that the metadata assigns to the statement of an invocation.
 *
 * @throws {CompileError} SIERRA_INVALID when a part is missing
 */
export function requestedGas(invocation: InvocationBuilder): RequestedGas {
  const builtins = PRECOST_TOKENS.map((token) => ({
    token,
    times: invocation.gasVariable(token),
  }));
  return {
    steady: invocation.gasVariable("Const"),
    builtins: builtins.filter(({ times }) => times > 0),
  };
}

/**
 * Fetches the pointer to the table of builtin costs, which follows the program. It calls the `ret` there; the
 * call pushes an address with a known distance to the table.
 *
 * @param b - builder that contains only inputs
 * @returns the code that must precede the builder's, and the pointer
 */
export function fetchTable(b: CasmBuilder): { readonly before: PlainCode; readonly table: Var } {
  b.noteApChange(FETCH_STEPS);
  const sum = { kind: "bin_op", op: "add", a: apCell(-1), b: immediate(1) } as const;
  const before: PlainCode = {
    instructions: [
      { body: { kind: "call", target: immediate(0), relative: true }, incAp: false, hints: [] },
      { body: { kind: "assert_eq", a: apCell(0), b: sum }, incAp: true, hints: [] },
    ],
    relocations: [
      { instruction: 0, target: { kind: "end_of_program" } },
      { instruction: 1, target: { kind: "end_of_program" } },
    ],
    gas: constGas({ steps: FETCH_STEPS }),
  };
  const cell = apCell(FETCH_STEPS - 1);
  return { before, table: b.add({ kind: "double_deref", cell, offset: 0 }) };
}

/** Emits the code that adds up the requested gas at the table's builtin costs. @returns the sum */
export function totalGas(b: CasmBuilder, { steady, builtins }: RequestedGas, table: Var): Var {
  let total = b.constant(steady);
  for (const { token, times } of builtins) {
    const single = b.tempvar(b.at(table, TABLE_OFFSETS[token]));
    const cost = times === 1 ? single : b.tempvar(b.product(single, b.constant(times)));
    total = b.tempvar(b.sum(cost, total));
  }
  return total;
}

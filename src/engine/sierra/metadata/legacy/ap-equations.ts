import { CompileError } from "../../compile-error.ts";
import type { ApChange } from "../../libfunc/ap-change.ts";
import type { Program } from "../../program/program.ts";
import type { ApFlow } from "../ap-flow.ts";
import { Effort, PATH_TERMS } from "./effort.ts";
import { isZero, type LinearExpression } from "./linear-expression.ts";
import { difference, EMPTY_PATH, extended, type PathSum } from "./path-sum.ts";

/** Known state at the start of a statement. */
interface Place {
  /** Position where `ap` was known: the start of a function, or a statement after `enable_ap_tracking`. */
  readonly base: string;
  readonly function: number | undefined;
  /** Cells since then; `undefined` when unknown. */
  readonly past: PathSum | undefined;
  /** Cells of allocated locals. */
  readonly locals: number;
}

/**
 * Returns the number of the variable for a function's cells in the equations; the variable of a
 * `branch_align` is its statement number.
 */
export function cellsOfFunction(program: Program, id: number): number {
  return program.statements.length + id;
}

/**
 * Equations of `ap` changes, each an expression that must be 0: converging paths agree, and the returns of a
 * function agree. Statements are processed in order.
 *
 * Source: Sierra compiler, ap change equations for Sierra before 1.4.0.
 *
 * @throws {CompileError} SIERRA_INVALID when a statement is reached only from later ones, or on paths that
 *   differ in their locals or in the position where `ap` was known
 */
export function apEquations(program: Program, flow: ApFlow): LinearExpression[] {
  const effort = new Effort(PATH_TERMS);
  const equations: LinearExpression[] = [];
  const places: (Place | undefined)[] = Array.from({ length: flow.length });
  const arrive = (statement: number, place: Place): void => {
    const known = places[statement];
    if (known === undefined) {
      places[statement] = place;
      return;
    }
    if (known.locals !== place.locals) refuse(statement, "with different locals");
    if (known.past === undefined || place.past === undefined) return;
    if (known.base !== place.base) refuse(statement, "with ap known from different places");
    equations.push(difference(known.past, place.past, "oldest first", effort));
  };
  for (const [id, { entry }] of program.functions.entries()) {
    arrive(entry, { base: `function ${id}`, function: id, past: EMPTY_PATH, locals: 0 });
  }
  for (const [statement, branches] of flow.entries()) {
    const place = places[statement] ?? refuse(statement, "from no statement before it");
    if (program.statements[statement]?.kind === "return" && place.function !== undefined) {
      const variable = cellsOfFunction(program, place.function);
      arrive(statement, { ...place, past: extended(EMPTY_PATH, 0, variable) });
    }
    for (const { target, effect } of branches) {
      arrive(target, after(program, place, effect, statement, target));
    }
  }
  return equations.filter((equation) => !isZero(equation));
}

function after(
  program: Program,
  place: Place,
  change: ApChange,
  statement: number,
  target: number,
): Place {
  const locals = place.locals + (change.kind === "at_locals_finalization" ? change.cells : 0);
  if (change.kind === "enable_tracking") {
    return { base: `statement ${target}`, function: undefined, past: EMPTY_PATH, locals };
  }
  const past = place.past && along(program, place.past, place.locals, change, statement);
  return { ...place, past, locals };
}

/** Cells after a change of `ap`; `undefined` when unknown. */
function along(
  program: Program,
  past: PathSum,
  locals: number,
  change: ApChange,
  statement: number,
): PathSum | undefined {
  switch (change.kind) {
    case "unknown":
    case "disable_tracking":
      return undefined;
    case "known":
      return extended(past, change.cells);
    case "from_metadata":
      return extended(past, 0, statement);
    case "function_call":
      return extended(past, CELLS_OF_CALL, cellsOfFunction(program, change.function));
    case "finalize_locals":
      return extended(past, locals);
    case "at_locals_finalization":
    case "enable_tracking":
      return past;
  }
}

function refuse(statement: number, how: string): never {
  throw new CompileError("SIERRA_INVALID", `statement ${statement} is reached ${how}`, {
    statement,
  });
}

const CELLS_OF_CALL = 2;

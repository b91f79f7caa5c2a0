import type { Program } from "#engine/sierra/program/program.ts";

/** Statements of a function: from `begin` to before `end`. */
export interface Body {
  readonly begin: number;
  readonly end: number;
}

/** Body that starts at a statement, up to the start of the next one. */
export function bodyFrom({ functions, statements }: Program, begin: number): Body {
  const later = functions.map(({ entry }) => entry).filter((entry) => entry > begin);
  return { begin, end: Math.min(statements.length, ...later) };
}

/** Body that contains a statement. */
export function bodyAround(program: Program, statement: number): Body {
  const before = program.functions.map(({ entry }) => entry).filter((entry) => entry <= statement);
  return bodyFrom(program, Math.max(0, ...before));
}

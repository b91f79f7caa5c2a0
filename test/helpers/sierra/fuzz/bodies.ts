import type { Program } from "#engine/sierra/program/program.ts";

/** The statements of a function: from `begin` to before `end`. */
export interface Body {
  readonly begin: number;
  readonly end: number;
}

/** The body that begins with a statement: it goes on to where the next one begins. */
export function bodyFrom({ functions, statements }: Program, begin: number): Body {
  const later = functions.map(({ entry }) => entry).filter((entry) => entry > begin);
  return { begin, end: Math.min(statements.length, ...later) };
}

/** The body that a statement is in. */
export function bodyAround(program: Program, statement: number): Body {
  const before = program.functions.map(({ entry }) => entry).filter((entry) => entry <= statement);
  return bodyFrom(program, Math.max(0, ...before));
}

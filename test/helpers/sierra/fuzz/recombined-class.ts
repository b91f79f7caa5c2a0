import type { LibfuncDeclaration, Program } from "#engine/sierra/program/program.ts";
import type { Random } from "../../random.ts";
import { type Body, bodyFrom } from "./bodies.ts";
import { type ClassParts, movedEntryPoints } from "./class-parts.ts";
import { withSegment } from "./joined-class.ts";
import { movedDeclaration, movedFunction, movedStatement, moveTo } from "./moved-program.ts";

/**
 * A class of some functions of a valid one, with their callees, in another order. All types stay,
 * and some unused libfuncs.
 *
 * @param groups - positions of functions; some of each group are used
 */
export function recombinedClass(
  { versions, program, entryPoints }: ClassParts,
  groups: readonly (readonly number[])[],
  random: Random,
): ClassParts {
  const served = new Set(
    Object.values(entryPoints).flatMap((list) => list.map((e) => e.functionIdx)),
  );
  const roots = groups.flatMap((group) => someOf(group, served, random));
  const functionOrder = random.shuffled([...withCallees(program, roots)]);
  const kept = new Set(functionOrder);
  const toFunction = moveTo(functionOrder);
  return {
    versions,
    program: recombinedProgram(program, functionOrder, random),
    entryPoints: movedEntryPoints(entryPoints, (index) =>
      kept.has(index) ? toFunction(index) : undefined,
    ),
  };
}

function recombinedProgram(
  program: Program,
  functionOrder: readonly number[],
  random: Random,
): Program {
  const at =
    <T>(list: readonly T[]) =>
    (index: number): T =>
      list[index] as T;
  const begins = new Set(functionOrder.map((index) => at(program.functions)(index).entry));
  const bodies = random.shuffled([...begins]).map((begin) => bodyFrom(program, begin));
  const used = usedLibfuncs(program, bodies);
  const libfuncOrder = program.libfuncs
    .map((_, index) => index)
    .filter((index) => used.has(index) || isFree(program, index, functionOrder, random));
  const moves = { libfunc: moveTo(libfuncOrder), function: moveTo(functionOrder) };
  const starts = new Map<number, number>();
  const statements = [];
  for (const { begin, end } of bodies) {
    const by = statements.length - begin;
    starts.set(begin, statements.length);
    const statement = (target: number): number => target + by;
    for (const each of program.statements.slice(begin, end)) {
      statements.push(movedStatement(each, { ...moves, statement }));
    }
  }
  return {
    types: program.types.map((each) => movedDeclaration(each, moves)),
    libfuncs: withoutGaps(
      libfuncOrder.map(at(program.libfuncs)).map((each) => movedDeclaration(each, moves)),
      random,
    ),
    statements,
    functions: functionOrder
      .map(at(program.functions))
      .map((each) => movedFunction(each, { statement: (entry) => starts.get(entry) ?? 0 })),
  };
}

/** Some items of a group, sometimes only entry points. */
function someOf(
  group: readonly number[],
  served: ReadonlySet<number>,
  random: Random,
): readonly number[] {
  const serving = group.filter((index) => served.has(index));
  const candidates = random.below(2) === 0 && serving.length > 0 ? serving : group;
  const count = 1 + random.below(Math.min(6, candidates.length));
  return random.shuffled([...candidates]).slice(0, count);
}

/** Functions and all their callees. */
function withCallees(program: Program, roots: readonly number[]): ReadonlySet<number> {
  const chosen = new Set(roots);
  for (const index of chosen) {
    const body = bodyFrom(program, program.functions[index]?.entry ?? 0);
    for (const libfunc of usedLibfuncs(program, [body])) {
      for (const argument of program.libfuncs[libfunc]?.args ?? []) {
        if (argument.kind === "function") chosen.add(argument.function);
      }
    }
  }
  return chosen;
}

/** Libfuncs of invocations, and those in their arguments. */
function usedLibfuncs(program: Program, bodies: readonly Body[]): ReadonlySet<number> {
  const used = new Set<number>();
  for (const { begin, end } of bodies) {
    for (const statement of program.statements.slice(begin, end)) {
      if (statement.kind === "invocation") used.add(statement.libfunc);
    }
  }
  for (const index of used) {
    for (const argument of program.libfuncs[index]?.args ?? []) {
      if (argument.kind === "libfunc") used.add(argument.libfunc);
    }
  }
  return used;
}

/** Whether an unused libfunc can stay: it refers to nothing that was removed. */
function isFree(
  { libfuncs }: Program,
  index: number,
  functions: readonly number[],
  random: Random,
): boolean {
  if (random.below(8) > 0) return false;
  const args = libfuncs[index]?.args ?? [];
  return args.every(
    (each) =>
      each.kind !== "libfunc" && (each.kind !== "function" || functions.includes(each.function)),
  );
}

/** Renumbers segments of constants without gaps, as required; sometimes leaves them unchanged. */
function withoutGaps(
  libfuncs: readonly LibfuncDeclaration[],
  random: Random,
): readonly LibfuncDeclaration[] {
  if (random.below(8) === 0) return libfuncs;
  const numbers = new Map<bigint, bigint>();
  return libfuncs.map((libfunc) =>
    withSegment(libfunc, (segment) => {
      const number = numbers.get(segment) ?? BigInt(numbers.size);
      numbers.set(segment, number);
      return number;
    }),
  );
}

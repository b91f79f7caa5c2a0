import type { ProgramWords } from "./program-words.ts";
import type { Random } from "../random.ts";

type Words = readonly bigint[];

/** Kinds of generic arguments that refer to something by its position. */
const FUNCTION_ARGUMENT = 3n;
const LIBFUNC_ARGUMENT = 4n;

const FALLTHROUGH = 2n ** 64n - 1n;

/** A program made of some functions of another, with the new position of each function that was kept. */
export interface Recombined {
  readonly program: ProgramWords;
  readonly functionIndices: ReadonlyMap<number, number>;
}

/**
 * Another program of some functions of a sound one, with those that they call, in another order. Types
 * stay; of the libfuncs some that nothing uses may stay too.
 */
export function recombinedProgram(program: ProgramWords, random: Random): Recombined {
  const chosen = withCallees(program, random);
  const functionOrder = random.shuffled([...chosen]);
  const functionIndices = positions(functionOrder);
  const bodies = random.shuffled(functionOrder).map((index) => bodyOf(program, index));
  const starts = new Map<number, number>();
  let size = 0;
  for (const { begin, end } of bodies) {
    starts.set(begin, size);
    size += end - begin;
  }
  const used = usedLibfuncs(program, bodies);
  const libfuncOrder = program.libfuncs
    .map((_, index) => index)
    .filter((index) => used.has(index) || isFree(program, index, functionIndices, random));
  const libfuncIndices = positions(libfuncOrder);
  const item = <T>(list: readonly T[], index: number): T => list[index] as T;
  return {
    functionIndices,
    program: {
      ...program,
      libfuncs: libfuncOrder.map((index) =>
        withArguments(item(program.libfuncs, index), functionIndices, libfuncIndices),
      ),
      statements: bodies.flatMap(({ begin, end }) =>
        program.statements
          .slice(begin, end)
          .map((words) => movedStatement(words, libfuncIndices, (starts.get(begin) ?? 0) - begin)),
      ),
      functions: functionOrder.map((index) => {
        const words = item(program.functions, index);
        return words.with(-1, BigInt(starts.get(Number(words.at(-1))) ?? 0));
      }),
    },
  };
}

interface Body {
  readonly begin: number;
  readonly end: number;
}

function bodyOf({ functions, statements }: ProgramWords, index: number): Body {
  const entries = functions.map((words) => Number(words.at(-1)));
  const begin = entries[index] ?? 0;
  return { begin, end: Math.min(statements.length, ...entries.filter((each) => each > begin)) };
}

/** Some functions and all that they call. */
function withCallees(program: ProgramWords, random: Random): ReadonlySet<number> {
  const count = 1 + random.below(Math.min(6, program.functions.length));
  const chosen = new Set(
    random.shuffled(program.functions.map((_, index) => index)).slice(0, count),
  );
  for (const index of chosen) {
    for (const libfunc of usedLibfuncs(program, [bodyOf(program, index)])) {
      for (const [kind, value] of argumentsOf(program.libfuncs[libfunc] ?? [])) {
        if (kind === FUNCTION_ARGUMENT) chosen.add(Number(value));
      }
    }
  }
  return chosen;
}

/** Libfuncs of invocations, and those that they are made with. */
function usedLibfuncs(program: ProgramWords, bodies: readonly Body[]): ReadonlySet<number> {
  const used = new Set<number>();
  for (const { begin, end } of bodies) {
    for (const [kind, libfunc] of program.statements.slice(begin, end)) {
      if (kind === 0n) used.add(Number(libfunc));
    }
  }
  for (const index of used) {
    for (const [kind, value] of argumentsOf(program.libfuncs[index] ?? [])) {
      if (kind === LIBFUNC_ARGUMENT) used.add(Number(value));
    }
  }
  return used;
}

/** Whether a libfunc that nothing uses stays: it needs nothing that was left out. */
function isFree(
  { libfuncs }: ProgramWords,
  index: number,
  functions: ReadonlyMap<number, number>,
  random: Random,
): boolean {
  return (
    random.below(8) === 0 &&
    argumentsOf(libfuncs[index] ?? []).every(
      ([kind, value]) =>
        kind !== LIBFUNC_ARGUMENT && (kind !== FUNCTION_ARGUMENT || functions.has(Number(value))),
    )
  );
}

function argumentsOf(words: Words): (readonly [kind: bigint, value: bigint])[] {
  const found: (readonly [bigint, bigint])[] = [];
  for (let at = 2; at + 1 < words.length; at += 2)
    found.push([words[at] ?? 0n, words[at + 1] ?? 0n]);
  return found;
}

function withArguments(
  words: Words,
  functions: ReadonlyMap<number, number>,
  libfuncs: ReadonlyMap<number, number>,
): Words {
  const moved = argumentsOf(words).flatMap(([kind, value]) => {
    if (kind === FUNCTION_ARGUMENT) return [kind, BigInt(functions.get(Number(value)) ?? 0)];
    if (kind === LIBFUNC_ARGUMENT) return [kind, BigInt(libfuncs.get(Number(value)) ?? 0)];
    return [kind, value];
  });
  return [...words.slice(0, 2), ...moved];
}

function movedStatement(words: Words, libfuncs: ReadonlyMap<number, number>, by: number): Words {
  if (words[0] === 1n) return words;
  const moved = words.with(1, BigInt(libfuncs.get(Number(words[1])) ?? 0));
  let at = 3 + Number(words[2]);
  for (let branches = Number(words[at++]); branches > 0; branches--) {
    const target = words[at] ?? FALLTHROUGH;
    if (target !== FALLTHROUGH) moved[at] = target + BigInt(by);
    at += 2 + Number(words[at + 1]);
  }
  return moved;
}

function positions(order: readonly number[]): Map<number, number> {
  return new Map(order.map((old, index) => [old, index]));
}

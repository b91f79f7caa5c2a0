import type { Invocation, Program, Statement } from "#engine/sierra/program/program.ts";
import type { Random } from "../../random.ts";
import { type Body, bodyAround } from "./bodies.ts";
import type { ClassParts } from "./class-parts.ts";
import { movedProgram } from "./moved-program.ts";

/** Changes a class and preserves its structure; returns `undefined` if nothing can be changed. */
export type Change = (parts: ClassParts, random: Random) => ClassParts | undefined;

/** Like {@link Change}, for a program. */
export type ProgramChange = (program: Program, random: Random) => Program | undefined;

/** Makes a change of a class from one of its program. */
export function inProgram(change: ProgramChange): Change {
  return (parts, random) => {
    const program = change(parts.program, random);
    return program === undefined ? undefined : { ...parts, program };
  };
}

/** A chosen invocation, and its body. */
export interface Spot extends Body {
  readonly at: number;
  readonly invocation: Invocation;
}

/** Maximum attempts to find a matching invocation. */
const MAX_TRIES = 20;

/** A random matching invocation; `undefined` if none is found. */
export function anySpot(
  program: Program,
  random: Random,
  isWanted: (invocation: Invocation) => boolean = () => true,
): Spot | undefined {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const at = random.below(program.statements.length);
    const invocation = program.statements[at];
    if (invocation?.kind !== "invocation" || !isWanted(invocation)) continue;
    return { at, invocation, ...bodyAround(program, at) };
  }
  return undefined;
}

/** Replaces a statement of a program. */
export function withStatement(program: Program, at: number, statement: Statement): Program {
  return { ...program, statements: program.statements.with(at, statement) };
}

/**
 * Removes and inserts statements at a position; later targets move along.
 *
 * @param added - inserted statements, with targets after the change
 * @param lands - whether jumps to the position lead to the inserted statements, or after them
 */
export function spliced(
  program: Program,
  at: number,
  removed: number,
  added: readonly Statement[],
  lands: "before" | "behind" = "before",
): Program {
  const by = added.length - removed;
  const entry = (position: number): number => (position > at ? position + by : position);
  const statement = (position: number): number =>
    lands === "behind" && position === at ? position + by : entry(position);
  const moved = movedProgram(program, { statement });
  return {
    ...moved,
    statements: moved.statements.toSpliced(at, removed, ...added),
    // An insertion at the start of a function belongs to it.
    functions: program.functions.map((each) => ({ ...each, entry: entry(each.entry) })),
  };
}

/** A variable of statements near a position, preferably a close one. */
export function variableNear(program: Program, { at, begin }: Spot, random: Random): number {
  const from = Math.max(begin, at - 1 - random.below(12));
  const named = program.statements.slice(from, at + 1).flatMap(variablesOf);
  return random.pick(named) ?? 0;
}

/** An unused variable. */
export function newVariable(program: Program, { begin, end }: Body): number {
  const named = program.statements.slice(begin, end).flatMap(variablesOf);
  return 1 + named.reduce((most, each) => Math.max(most, each), 1000);
}

function variablesOf(statement: Statement): readonly number[] {
  if (statement.kind === "return") return statement.args;
  return [...statement.args, ...statement.branches.flatMap(({ results }) => results)];
}

/** Swaps the items at two indices of a list; `undefined` if the indices are equal or out of range. */
export function swapped<T>(list: readonly T[], one: number, two: number): T[] | undefined {
  const [a, b] = [list[one], list[two]];
  if (a === undefined || b === undefined || one === two) return undefined;
  return list.with(one, b).with(two, a);
}

/** Like {@link swapped}, at two random indices. */
export function someSwapped<T>(list: readonly T[], random: Random): T[] | undefined {
  return swapped(list, random.below(list.length), random.below(list.length));
}

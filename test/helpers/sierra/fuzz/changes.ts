import type { Invocation, Program, Statement } from "#engine/sierra/program/program.ts";
import type { Random } from "../../random.ts";
import { type Body, bodyAround } from "./bodies.ts";
import type { ClassParts } from "./class-parts.ts";
import { movedProgram } from "./moved-program.ts";

/** Changes a class somewhere and keeps its structure; `undefined` where there is nothing to change. */
export type Change = (parts: ClassParts, random: Random) => ClassParts | undefined;

/** As {@link Change}, of a program. */
export type ProgramChange = (program: Program, random: Random) => Program | undefined;

/** The change of a class that changes its program only. */
export function inProgram(change: ProgramChange): Change {
  return (parts, random) => {
    const program = change(parts.program, random);
    return program === undefined ? undefined : { ...parts, program };
  };
}

/** An invocation that was chosen, and the body that it is in. */
export interface Spot extends Body {
  readonly at: number;
  readonly invocation: Invocation;
}

/** Tries to find an invocation that is as wanted. */
const MAX_TRIES = 20;

/** Any invocation of a program that is as wanted; `undefined` when chance finds none. */
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

/** A program with another statement in one place. */
export function withStatement(program: Program, at: number, statement: Statement): Program {
  return { ...program, statements: program.statements.with(at, statement) };
}

/**
 * A program with statements left out and put in at a position; targets behind them move along.
 *
 * @param added - their targets are those after the change
 * @param lands - whether what leads to the position leads to what was put in, or behind it
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
    // What is put in where a function begins is a part of it.
    functions: program.functions.map((each) => ({ ...each, entry: entry(each.entry) })),
  };
}

/** Variables that statements near a position use or make, the nearer the more often. */
export function variableNear(program: Program, { at, begin }: Spot, random: Random): number {
  const from = Math.max(begin, at - 1 - random.below(12));
  const named = program.statements.slice(from, at + 1).flatMap(variablesOf);
  return random.pick(named) ?? 0;
}

/** A variable that nothing else has. */
export function newVariable(program: Program, { begin, end }: Body): number {
  const named = program.statements.slice(begin, end).flatMap(variablesOf);
  return 1 + named.reduce((most, each) => Math.max(most, each), 1000);
}

function variablesOf(statement: Statement): readonly number[] {
  if (statement.kind === "return") return statement.args;
  return [...statement.args, ...statement.branches.flatMap(({ results }) => results)];
}

/** A list with two of its items in each other's place; `undefined` when they are the same. */
export function swapped<T>(list: readonly T[], one: number, two: number): T[] | undefined {
  const [a, b] = [list[one], list[two]];
  if (a === undefined || b === undefined || one === two) return undefined;
  return list.with(one, b).with(two, a);
}

/** As {@link swapped}, two that chance takes. */
export function someSwapped<T>(list: readonly T[], random: Random): T[] | undefined {
  return swapped(list, random.below(list.length), random.below(list.length));
}

import type { Branch, Invocation, Program, Statement } from "#engine/sierra/program/program.ts";
import type { Random } from "../../random.ts";
import {
  anySpot,
  newVariable,
  type ProgramChange,
  someSwapped,
  type Spot,
  spliced,
  swapped,
  variableNear,
  withStatement,
} from "./changes.ts";

/**
 * Random changes of a program's statements, by name, for the compiler's fuzzers; all keep the
 * program decodable.
 */
export const STATEMENT_CHANGES: Readonly<Record<string, ProgramChange>> = {
  "two statements swapped": (program, random) => {
    const { at, begin, end } = anySpot(program, random) ?? NOWHERE;
    const other =
      random.below(3) > 0 ? at + 1 + random.below(3) : begin + random.below(end - begin);
    if (other >= end) return undefined;
    const statements = swapped(program.statements, at, other);
    return statements && { ...program, statements };
  },
  "a statement moved": (program, random) => {
    const { at, begin, end } = anySpot(program, random) ?? NOWHERE;
    const statement = program.statements[at];
    const to = at + random.below(9) - 4;
    if (statement === undefined || to < begin || to >= end) return undefined;
    return spliced(spliced(program, at, 1, []), to, 0, [statement], side(random));
  },
  "a statement dropped": (program, random) => {
    const at = random.below(program.statements.length);
    return spliced(program, at, 1, []);
  },
  "a statement doubled": (program, random) => {
    const at = random.below(program.statements.length);
    return spliced(program, at, 0, program.statements.slice(at, at + 1), side(random));
  },
  "a copy of another statement": (program, random) => {
    const spot = anySpot(program, random);
    const statement = random.pick(program.statements);
    if (spot === undefined || statement === undefined) return undefined;
    return spliced(program, spot.at, 0, [fitted(program, statement, spot, random)], side(random));
  },
  "another target": atInvocation((program, spot, random) => {
    const { branches } = spot.invocation;
    const jumps = [...branches.keys()].filter((at) => branches[at]?.target !== undefined);
    const at = random.below(8) === 0 ? random.below(branches.length) : random.pick(jumps);
    const target = random.below(8) === 0 ? undefined : targetNear(program, spot, random);
    return withBranch(spot.invocation, at ?? 0, (branch) => ({ ...branch, target }));
  }, hasJump),
  "two targets swapped": atInvocation((_, { invocation }, random) => {
    const targets = someSwapped(
      invocation.branches.map(({ target }) => ({ target })),
      random,
    );
    const branches = targets?.map(({ target }, i) => ({
      target,
      results: invocation.branches[i]?.results ?? [],
    }));
    return branches && { ...invocation, branches };
  }, hasBranches),
  "two branches swapped": atInvocation((_, { invocation }, random) => {
    const branches = someSwapped(invocation.branches, random);
    return branches && { ...invocation, branches };
  }, hasBranches),
  "another argument": atInvocation((program, spot, random) => {
    const { args } = spot.invocation;
    const at = random.below(args.length);
    if (args.length === 0) return undefined;
    return { ...spot.invocation, args: args.with(at, variableNear(program, spot, random)) };
  }),
  "two arguments swapped": atInvocation(
    (_, { invocation }, random) => {
      const args = someSwapped(invocation.args, random);
      return args && { ...invocation, args };
    },
    ({ args }) => args.length > 1,
  ),
  "another result": atInvocation((program, spot, random) => {
    const variable =
      random.below(2) === 0 ? newVariable(program, spot) : variableNear(program, spot, random);
    return withResults(spot.invocation, random, (results) =>
      results.length === 0 ? undefined : results.with(random.below(results.length), variable),
    );
  }),
  "two results swapped": atInvocation(
    (_, { invocation }, random) =>
      withResults(invocation, random, (results) => someSwapped(results, random)),
    ({ branches }) => branches.some(({ results }) => results.length > 1),
  ),
  "what is returned in another order": (program, random) => {
    const at = random.below(program.statements.length);
    const statement = program.statements.slice(at).find(({ kind }) => kind === "return");
    const args = statement?.kind === "return" ? someSwapped(statement.args, random) : undefined;
    if (statement === undefined || args === undefined) return undefined;
    return withStatement(program, program.statements.indexOf(statement), { kind: "return", args });
  },
  "another libfunc of this shape": atInvocation((program, { invocation }, random) => {
    const shape = shapeOf(invocation);
    const alike = program.statements.flatMap((each) =>
      each.kind === "invocation" && each.libfunc !== invocation.libfunc && shapeOf(each) === shape
        ? [each.libfunc]
        : [],
    );
    const libfunc = random.pick([...new Set(alike)]);
    return libfunc === undefined ? undefined : { ...invocation, libfunc };
  }),
  "another libfunc of this name": atInvocation((program, { invocation }, random) => {
    const own = program.libfuncs[invocation.libfunc];
    const alike = program.libfuncs.flatMap(({ genericId }, libfunc) =>
      genericId === own?.genericId && libfunc !== invocation.libfunc ? [libfunc] : [],
    );
    const libfunc = random.pick(alike);
    return libfunc === undefined ? undefined : { ...invocation, libfunc };
  }),
};

const NOWHERE = { at: -1, begin: 0, end: 0 };

/** Applies a change to a random invocation of a program. */
function atInvocation(
  change: (program: Program, spot: Spot, random: Random) => Invocation | undefined,
  isWanted?: (invocation: Invocation) => boolean,
): ProgramChange {
  return (program, random) => {
    const spot = anySpot(program, random, isWanted);
    const changed = spot && change(program, spot, random);
    return changed && withStatement(program, spot.at, changed);
  };
}

function hasJump({ branches }: Invocation): boolean {
  return branches.some(({ target }) => target !== undefined);
}

function hasBranches({ branches }: Invocation): boolean {
  return branches.length > 1;
}

function withBranch(
  invocation: Invocation,
  at: number,
  change: (branch: Branch) => Branch,
): Invocation {
  const { branches } = invocation;
  return { ...invocation, branches: branches.map((each, i) => (i === at ? change(each) : each)) };
}

function withResults(
  invocation: Invocation,
  random: Random,
  change: (results: readonly number[]) => readonly number[] | undefined,
): Invocation | undefined {
  const at = random.below(invocation.branches.length);
  const results = change(invocation.branches[at]?.results ?? []);
  return results && withBranch(invocation, at, (branch) => ({ ...branch, results }));
}

/** A statement of another place, with variables and targets of this one. */
function fitted(program: Program, statement: Statement, spot: Spot, random: Random): Statement {
  const args = statement.args.map((each) =>
    random.below(4) === 0 ? each : variableNear(program, spot, random),
  );
  if (statement.kind === "return") return { kind: "return", args };
  let fresh = newVariable(program, spot);
  const branches = statement.branches.map(({ target, results }) => ({
    target: target === undefined ? undefined : targetNear(program, spot, random),
    results: results.map((each) => (random.below(4) === 0 ? each : fresh++)),
  }));
  return { ...statement, args, branches };
}

/** Target of a jump: of another branch, nearby, or anywhere. */
function targetNear(program: Program, { at, begin, end }: Spot, random: Random): number {
  const targets = program.statements
    .slice(begin, end)
    .flatMap((each) => (each.kind === "return" ? [] : each.branches.map(({ target }) => target)));
  switch (random.below(4)) {
    case 0:
      return Math.max(0, at + random.below(12) - 2);
    case 1:
      return random.below(program.statements.length + 1);
    default:
      return random.pick(targets.filter((each) => each !== undefined)) ?? at + 1;
  }
}

function shapeOf({ args, branches }: Invocation): string {
  const shapes = branches.map(
    ({ target, results }) => `${target === undefined ? "on" : "to"}${results.length}`,
  );
  return `${args.length}:${shapes.join()}`;
}

function side(random: Random): "before" | "behind" {
  return random.below(2) === 0 ? "before" : "behind";
}

import type { FunctionDeclaration, Program } from "#engine/sierra/program/program.ts";
import type { Random } from "../../random.ts";
import { bodyFrom } from "./bodies.ts";
import { movedEntryPoints } from "./class-parts.ts";
import { type Change, inProgram, type ProgramChange, someSwapped } from "./changes.ts";
import { movedProgram, movedStatement, moveTo } from "./moved-program.ts";

/** Random changes of a program's functions, by name, for the compiler's fuzzers. */
export const FUNCTION_CHANGES: Readonly<Record<string, Change>> = {
  "two functions in each other's place": (parts, random) => {
    const order = someSwapped([...parts.program.functions.keys()], random);
    if (order === undefined) return undefined;
    const functions = order.flatMap((index) => parts.program.functions[index] ?? []);
    const move = moveTo(order);
    return {
      ...parts,
      program: movedProgram({ ...parts.program, functions }, { function: move }),
      entryPoints: movedEntryPoints(parts.entryPoints, move),
    };
  },
  "two functions exchanged": inProgram((program, random) => {
    const functions = someSwapped(program.functions, random);
    return functions && { ...program, functions };
  }),
  "a function dropped": (parts, random) => {
    const at = random.below(parts.program.functions.length);
    const functions = parts.program.functions.toSpliced(at, 1);
    const move = moveTo([...parts.program.functions.keys()].toSpliced(at, 1));
    return {
      ...parts,
      program: movedProgram({ ...parts.program, functions }, { function: move }),
      entryPoints: movedEntryPoints(parts.entryPoints, (index) =>
        index === at ? undefined : move(index),
      ),
    };
  },
  "a function doubled, with its statements": inProgram((program, random) => {
    const original = random.pick(program.functions);
    if (original === undefined) return undefined;
    const { begin, end } = bodyFrom(program, original.entry);
    const entry = program.statements.length;
    const statement = (target: number): number => target + entry - begin;
    const added = program.statements.slice(begin, end);
    const copied: Program = {
      ...program,
      statements: [
        ...program.statements,
        ...added.map((each) => movedStatement(each, { statement })),
      ],
      functions: [...program.functions, { ...original, entry }],
    };
    return rerouted(copied, copied.functions.length - 1, random);
  }),
  "a call of another function": inProgram((program, random) =>
    rerouted(program, random.below(program.functions.length), random),
  ),
  "another first statement": atFunction((each, program, random) => {
    const { begin, end } = bodyFrom(program, each.entry);
    const near = begin + random.below(end - begin + 2);
    return { ...each, entry: random.below(3) > 0 ? near : random.below(program.statements.length) };
  }),
  "two parameters swapped": atFunction((each, _, random) => {
    const params = someSwapped(each.params, random);
    return params && { ...each, params };
  }),
  "two types of parameters swapped": atFunction((each, _, random) => {
    const types = someSwapped(
      each.params.map(({ type }) => type),
      random,
    );
    const params = each.params.map(({ type, variable }, i) => ({
      type: types?.[i] ?? type,
      variable,
    }));
    return types && { ...each, params };
  }),
  "two types of results swapped": atFunction((each, _, random) => {
    const returns = someSwapped(each.returns, random);
    return returns && { ...each, returns };
  }),
  "another type of a parameter or result": atFunction((each, program, random) => {
    const type = random.below(program.types.length);
    if (random.below(2) === 0) {
      const at = random.below(each.params.length);
      const params = each.params.map((param, i) => (i === at ? { ...param, type } : param));
      return { ...each, params };
    }
    const returns = each.returns.map((other, i) =>
      i === random.below(each.returns.length) ? type : other,
    );
    return { ...each, returns };
  }),
};

/** Applies a change to a random function of a class. */
function atFunction(
  change: (
    declaration: FunctionDeclaration,
    program: Program,
    random: Random,
  ) => FunctionDeclaration | undefined,
): Change {
  const changed: ProgramChange = (program, random) => {
    const at = random.below(program.functions.length);
    const declaration = program.functions[at];
    const other = declaration && change(declaration, program, random);
    return other && { ...program, functions: program.functions.with(at, other) };
  };
  return inProgram(changed);
}

/** Redirects calls of one function to another one, preferably of the same signature. */
function rerouted(program: Program, to: number, random: Random): Program | undefined {
  const callees = program.libfuncs.flatMap(({ genericId, args: [callee] }, libfunc) =>
    genericId === "function_call" && callee?.kind === "function" && callee.function !== to
      ? [{ libfunc, callee: callee.function }]
      : [],
  );
  const signature = signatureOf(program, to);
  const alike = callees.filter(({ callee }) => signatureOf(program, callee) === signature);
  const chosen = random.pick(alike) ?? random.pick(callees);
  if (chosen === undefined) return undefined;
  const args = [{ kind: "function", function: to }] as const;
  return {
    ...program,
    libfuncs: program.libfuncs.with(chosen.libfunc, { genericId: "function_call", args }),
  };
}

function signatureOf({ functions }: Program, index: number): string {
  const { params = [], returns = [] } = functions[index] ?? {};
  return `${params.map(({ type }) => type).join()}:${returns.join()}`;
}

import type {
  FunctionDeclaration,
  GenericArgument,
  Invocation,
  Program,
  Statement,
} from "#engine/sierra/program/program.ts";

/** Maps an old position to its new one. */
export type Move = (position: number) => number;

/** Moves of declarations and statements; omitted kinds stay. */
export interface Moves {
  readonly type?: Move;
  readonly libfunc?: Move;
  readonly function?: Move;
  readonly statement?: Move;
}

/** A move by a list of old positions in new order; positions missing in the list are removed. */
export function moveTo(order: readonly number[]): Move {
  const positions = new Map(order.map((old, position) => [old, position]));
  return (position) => positions.get(position) ?? order.length + position;
}

/** A declaration with references to the new positions. */
export function movedDeclaration<T extends { readonly args: readonly GenericArgument[] }>(
  declaration: T,
  moves: Moves,
): T {
  return { ...declaration, args: declaration.args.map((each) => movedArgument(each, moves)) };
}

function movedArgument(argument: GenericArgument, moves: Moves): GenericArgument {
  switch (argument.kind) {
    case "type":
      return { kind: "type", type: moved(moves.type, argument.type) };
    case "function":
      return { kind: "function", function: moved(moves.function, argument.function) };
    case "libfunc":
      return { kind: "libfunc", libfunc: moved(moves.libfunc, argument.libfunc) };
    case "user_type":
    case "value":
      return argument;
  }
}

/** A statement with references to the new positions. */
export function movedStatement(statement: Statement, moves: Moves): Statement {
  return statement.kind === "return" ? statement : movedInvocation(statement, moves);
}

function movedInvocation(invocation: Invocation, moves: Moves): Invocation {
  return {
    ...invocation,
    libfunc: moved(moves.libfunc, invocation.libfunc),
    branches: invocation.branches.map(({ target, results }) => ({
      target: target === undefined ? undefined : moved(moves.statement, target),
      results,
    })),
  };
}

/** A function with references to the new positions. */
export function movedFunction(declaration: FunctionDeclaration, moves: Moves): FunctionDeclaration {
  return {
    ...declaration,
    params: declaration.params.map(({ type, variable }) => ({
      type: moved(moves.type, type),
      variable,
    })),
    returns: declaration.returns.map((type) => moved(moves.type, type)),
    entry: moved(moves.statement, declaration.entry),
  };
}

/** A program with references to the new positions; its lists keep their order. */
export function movedProgram(program: Program, moves: Moves): Program {
  return {
    types: program.types.map((each) => movedDeclaration(each, moves)),
    libfuncs: program.libfuncs.map((each) => movedDeclaration(each, moves)),
    statements: program.statements.map((each) => movedStatement(each, moves)),
    functions: program.functions.map((each) => movedFunction(each, moves)),
  };
}

function moved(move: Move | undefined, position: number): number {
  return move === undefined ? position : move(position);
}

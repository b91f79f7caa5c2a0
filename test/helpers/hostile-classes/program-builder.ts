import type { GenericArgument, Program } from "#engine/sierra/program/program.ts";
import { userTypeId } from "#engine/sierra/program/user-type.ts";
import type { SierraClass } from "#protocol/chain/index.ts";
import { programFelts } from "../sierra/fuzz/program-felts.ts";

/** A generic argument: a number is a type, a bigint a value, a text the name of a user type. */
export type BuilderArgument = number | bigint | string | GenericArgument;

/** A branch: its target, by default the next statement, and its results. */
export type BuilderBranch = readonly [target: number | undefined, ...results: number[]];

/** A Sierra version with equations, and a current one. */
export type BuilderVersion = "1.3.0" | "1.7.0";

/** Builds a program declaration by declaration; repeated declarations are shared. */
export class ProgramBuilder {
  readonly #types: Program["types"][number][] = [];
  readonly #libfuncs: Program["libfuncs"][number][] = [];
  readonly #statements: Program["statements"][number][] = [];
  readonly #functions: Program["functions"][number][] = [];
  readonly #known = new Map<string, number>();

  /** Index of the statement that is added next. */
  get next(): number {
    return this.#statements.length;
  }

  /** Declares a type. @returns its index */
  type(genericId: string, ...args: readonly BuilderArgument[]): number {
    const declaration = { genericId, args: args.map(argumentOf), declared: undefined };
    return this.#find("type", this.#types, declaration);
  }

  /** Declares a struct of one felt, doubled: `2 ** power` cells in one value. */
  largeType(power: number): number {
    let type = this.type("felt252");
    for (let i = 0; i < power; i++) type = this.type("Struct", "Tuple", type, type);
    return type;
  }

  /** Declares a libfunc. @returns its index */
  libfunc(genericId: string, ...args: readonly BuilderArgument[]): number {
    return this.#find("libfunc", this.#libfuncs, { genericId, args: args.map(argumentOf) });
  }

  #find<T extends { readonly genericId: string; readonly args: readonly GenericArgument[] }>(
    kind: string,
    all: T[],
    declaration: T,
  ): number {
    const texts = declaration.args.map((each) => Object.values(each).join(" "));
    const key = `${kind} ${declaration.genericId} ${texts.join()}`;
    const id = this.#known.get(key) ?? all.push(declaration) - 1;
    this.#known.set(key, id);
    return id;
  }

  /** Adds an invocation that continues with the next statement. */
  call(libfunc: number, args: readonly number[] = [], results: readonly number[] = []): void {
    this.fork(libfunc, args, [[undefined, ...results]]);
  }

  /** Adds an invocation with these branches. */
  fork(libfunc: number, args: readonly number[], branches: readonly BuilderBranch[]): void {
    this.#statements.push({
      kind: "invocation",
      libfunc,
      args,
      branches: branches.map(([target, ...results]) => ({ target, results })),
    });
  }

  /** Adds a return. */
  ret(...args: readonly number[]): void {
    this.#statements.push({ kind: "return", args });
  }

  /** Declares a function. @returns its index */
  func(
    entry: number,
    params: readonly (readonly [type: number, variable: number])[] = [],
    returns: readonly number[] = [],
  ): number {
    const id = this.#functions.length;
    const variables = params.map(([type, variable]) => ({ type, variable }));
    this.#functions.push({ name: `f${id}`, params: variables, returns, entry });
    return id;
  }

  /** Builds a class of the program, without entry points. */
  build(version: BuilderVersion = "1.7.0"): SierraClass {
    const versions = [...version.split(".").map(BigInt), 2n, 0n, 0n];
    const program: Program = {
      types: this.#types,
      libfuncs: this.#libfuncs,
      statements: this.#statements,
      functions: this.#functions,
    };
    return {
      kind: "sierra",
      sierraProgram: programFelts(versions, program),
      contractClassVersion: "0.1.0",
      entryPoints: { EXTERNAL: [], L1_HANDLER: [], CONSTRUCTOR: [] },
      abi: "[]",
    };
  }
}

/** A function as a generic argument. */
export function functionArgument(id: number): GenericArgument {
  return { kind: "function", function: id };
}

function argumentOf(argument: BuilderArgument): GenericArgument {
  if (typeof argument === "number") return { kind: "type", type: argument };
  if (typeof argument === "bigint") return { kind: "value", value: argument };
  if (typeof argument === "string") return { kind: "user_type", id: userTypeId(argument) };
  return argument;
}

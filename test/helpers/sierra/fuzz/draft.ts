import type { GenericArgument, Program, Statement } from "#engine/sierra/program/program.ts";

/** A generic argument in a draft: a number is a type, a bigint a value. */
export type DraftArgument = number | bigint | GenericArgument;

/** Statements to be inserted into a program, with the declarations that they need. */
export class Draft {
  readonly statements: Statement[] = [];
  readonly #types: Program["types"][number][];
  readonly #libfuncs: Program["libfuncs"][number][];
  readonly #program: Program;
  #variable: number;

  /** @param variable - the first unused one */
  constructor(program: Program, variable: number) {
    this.#program = program;
    this.#types = [...program.types];
    this.#libfuncs = [...program.libfuncs];
    this.#variable = variable;
  }

  /** The program with the declarations, without the statements. */
  get program(): Program {
    return { ...this.#program, types: this.#types, libfuncs: this.#libfuncs };
  }

  /** Returns a new unused variable. */
  variable(): number {
    return this.#variable++;
  }

  /** Index of a type, which is declared if needed. */
  type(genericId: string, ...args: readonly DraftArgument[]): number {
    const wanted = args.map(argumentOf);
    const found = positionOf(this.#types, genericId, wanted);
    return found ?? this.#types.push({ genericId, args: wanted, declared: undefined }) - 1;
  }

  /** Index of a libfunc, which is declared if needed. */
  libfunc(genericId: string, ...args: readonly DraftArgument[]): number {
    const wanted = args.map(argumentOf);
    const found = positionOf(this.#libfuncs, genericId, wanted);
    return found ?? this.#libfuncs.push({ genericId, args: wanted }) - 1;
  }

  /** Adds an invocation with one branch, which continues with the next statement by default. */
  call(
    [genericId, ...args]: readonly [string, ...DraftArgument[]],
    inputs: readonly number[] = [],
    results: readonly number[] = [],
    target?: number,
  ): void {
    this.statements.push({
      kind: "invocation",
      libfunc: this.libfunc(genericId, ...args),
      args: inputs,
      branches: [{ target, results }],
    });
  }
}

function argumentOf(argument: DraftArgument): GenericArgument {
  if (typeof argument === "number") return { kind: "type", type: argument };
  return typeof argument === "bigint" ? { kind: "value", value: argument } : argument;
}

function positionOf(
  declarations: readonly {
    readonly genericId: string;
    readonly args: readonly GenericArgument[];
  }[],
  genericId: string,
  args: readonly GenericArgument[],
): number | undefined {
  const found = declarations.findIndex(
    (each) => each.genericId === genericId && Bun.deepEquals(each.args, args),
  );
  return found < 0 ? undefined : found;
}

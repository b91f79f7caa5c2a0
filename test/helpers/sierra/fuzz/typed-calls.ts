import type { LibfuncSignature } from "#engine/sierra/libfunc/signature.ts";
import { LIBFUNCS } from "#engine/sierra/libfuncs/index.ts";
import type {
  Branch,
  GenericArgument,
  LibfuncDeclaration,
  Statement,
} from "#engine/sierra/program/program.ts";
import type { Random } from "../../random.ts";
import { withMoreTypes } from "./added-types.ts";
import { newVariable, type ProgramChange, type Spot, spliced } from "./changes.ts";
import { Draft } from "./draft.ts";
import {
  insertionSpot,
  signatureOf,
  type TypedProgram,
  typedProgram,
  variablesAt,
} from "./typed-program.ts";

const LIBFUNC_IDS = Object.keys(LIBFUNCS);

/** Maximum attempts to find a libfunc whose arguments can be created. */
const MAX_TRIES = 24;

/** Maximum nesting of constant structs. */
const MAX_DEPTH = 5;

/** Edge values of felts. */
const FELTS = [0n, 1n, -1n, 2n ** 128n, -(2n ** 128n), 2n ** 250n, 2n ** 251n];

/** Values in arguments of libfuncs: indices, bounds. */
const VALUES = [0n, 0n, 1n, 2n, 3n, 5n, 128n, 255n, 1000n, 2n ** 64n, 2n ** 128n - 1n];

/**
 * Random changes of a program that preserve the types of all variables, by name, for the compiler's
 * fuzzers.
 */
export const TYPED_CHANGES: Readonly<Record<string, ProgramChange>> = {
  "a call of any libfunc": (program, random) => {
    const spot = insertionSpot(program, random);
    const typed = typedProgram(program);
    if (spot === undefined || typed === undefined) return undefined;
    const held = variablesAt(typed, spot);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const declaration = anyLibfunc(typed, random);
      const signature = declaration && signatureOf(typed, declaration);
      if (declaration === undefined || signature?.fallthrough === undefined) continue;
      const call = new TypedCall(typed, spot, held, random);
      if (!call.take(signature)) continue;
      call.make(declaration, signature);
      const lands = random.below(2) === 0 ? "before" : "behind";
      return spliced(call.draft.program, spot.at, 0, call.draft.statements, lands);
    }
    return undefined;
  },
  "more types": withMoreTypes,
  "two variables of a type exchanged": (program, random) => {
    const spot = insertionSpot(program, random);
    const typed = typedProgram(program);
    if (spot === undefined || typed === undefined) return undefined;
    const held = [...variablesAt(typed, spot)];
    const [one, type] = random.pick(held) ?? [];
    const [two] = random.pick(held.filter((each) => each[1] === type && each[0] !== one)) ?? [];
    if (one === undefined || two === undefined) return undefined;
    const to = (variable: number): number =>
      variable === one ? two : variable === two ? one : variable;
    const statements = program.statements.map((each, index) =>
      index >= spot.at && index < spot.end ? renamed(each, to) : each,
    );
    return { ...program, statements };
  },
};

function renamed(statement: Statement, to: (variable: number) => number): Statement {
  const args = statement.args.map(to);
  if (statement.kind === "return") return { kind: "return", args };
  const branches = statement.branches.map(({ target, results }) => ({
    target,
    results: results.map(to),
  }));
  return { ...statement, args, branches };
}

/** A libfunc of the program, or a new one. */
function anyLibfunc({ program }: TypedProgram, random: Random): LibfuncDeclaration | undefined {
  if (random.below(3) === 0) return random.pick(program.libfuncs);
  const genericId = random.pick(LIBFUNC_IDS) ?? "jump";
  const count = program.types.length;
  // The latest types were added for this purpose.
  const type = (): GenericArgument => ({
    kind: "type",
    type: random.below(2) === 0 ? random.below(count) : Math.max(0, count - 1 - random.below(12)),
  });
  const value = (): GenericArgument => ({ kind: "value", value: random.pick(VALUES) ?? 0n });
  switch (random.below(6)) {
    case 0:
    case 1:
      return { genericId, args: [] };
    case 2:
      return { genericId, args: [type()] };
    case 3:
      return { genericId, args: [type(), value()] };
    case 4:
      return { genericId, args: [value()] };
    default:
      return { genericId, args: [type(), type()] };
  }
}

/** An invocation with new arguments, whose results are used if possible. */
class TypedCall {
  readonly draft: Draft;
  readonly #typed: TypedProgram;
  readonly #spot: Spot;
  readonly #held: ReadonlyMap<number, number>;
  readonly #random: Random;
  readonly #args: number[] = [];
  /** Consumed variables with their types: results get their names. */
  readonly #taken = new Map<number, number>();

  constructor(typed: TypedProgram, spot: Spot, held: ReadonlyMap<number, number>, random: Random) {
    this.draft = new Draft(typed.program, newVariable(typed.program, spot));
    this.#typed = typed;
    this.#spot = spot;
    this.#held = held;
    this.#random = random;
  }

  /**
   * Creates the arguments; `false` if one cannot be created, or a consumed one cannot be restored.
   */
  take({ params, branches }: LibfuncSignature): boolean {
    for (const type of params) {
      const variable = this.#argument(type);
      if (variable === undefined) return false;
      this.#args.push(variable);
    }
    const returned = branches.every(({ variables }) => {
      const types = variables.map(({ type }) => type);
      return [...this.#taken.values()].every((type) => {
        const at = types.indexOf(type);
        if (at >= 0) types.splice(at, 1);
        return at >= 0;
      });
    });
    return returned || this.#random.below(12) === 0;
  }

  /** Writes the invocation and, after each of its branches, statements that consume its results. */
  make({ genericId, args }: LibfuncDeclaration, { branches, fallthrough }: LibfuncSignature): void {
    const { statements } = this.draft;
    const libfunc = this.draft.libfunc(genericId, ...args);
    const callAt = statements.length;
    statements.push({ kind: "return", args: [] });
    const made: Branch[] = [];
    const jumps: number[] = [];
    const order = [...branches.keys()].sort((a, b) =>
      a === fallthrough ? -1 : b === fallthrough ? 1 : a - b,
    );
    for (const [position, branch] of order.entries()) {
      const target = branch === fallthrough ? undefined : this.#spot.at + statements.length;
      if (branches.length > 1) this.draft.call(["branch_align"]);
      const types = branches[branch]?.variables.map(({ type }) => type) ?? [];
      made[branch] = { target, results: this.#end(types) };
      if (position === order.length - 1) continue;
      jumps.push(statements.length);
      this.draft.call(["jump"]);
    }
    statements[callAt] = { kind: "invocation", libfunc, args: this.#args, branches: made };
    const end = this.#spot.at + statements.length;
    for (const at of jumps) {
      const jump = statements[at];
      if (jump?.kind !== "invocation") continue;
      statements[at] = { ...jump, branches: [{ target: end, results: [] }] };
    }
  }

  /** Names results, drops unneeded ones and stores the others. */
  #end(types: readonly number[]): number[] {
    const left = new Map(this.#taken);
    const kept: { readonly variable: number; readonly type: number }[] = [];
    const results = types.map((type) => {
      const [name] = [...left].find((each) => each[1] === type) ?? [];
      if (name === undefined) return this.draft.variable();
      left.delete(name);
      kept.push({ variable: name, type });
      return name;
    });
    for (const [i, type] of types.entries()) {
      const variable = results[i] ?? 0;
      if (kept.some((each) => each.variable === variable)) continue;
      const { storable = false, droppable = false } = this.#typed.types[type]?.info ?? {};
      if (storable && this.#random.below(2) === 0) {
        this.draft.call(["store_temp", type], [variable], [variable]);
      }
      if (droppable) this.draft.call(["drop", type], [variable]);
    }
    for (const { variable, type } of kept)
      this.draft.call(["store_temp", type], [variable], [variable]);
    return results;
  }

  #argument(type: number): number | undefined {
    const free = [...this.#held].flatMap(([variable, each]) =>
      each === type && !this.#taken.has(variable) ? [variable] : [],
    );
    const variable = this.#random.below(6) === 0 ? undefined : this.#random.pick(free);
    if (variable === undefined) return this.#formed(this.#constantVariable(type), type);
    if (this.#typed.types[type]?.info.duplicatable !== true) {
      this.#taken.set(variable, type);
      return this.#formed(variable, type);
    }
    const copy = this.draft.variable();
    this.draft.call(["dup", type], [variable], [variable, copy]);
    return this.#formed(copy, type);
  }

  /** Sometimes converts a value to another form: libfuncs do not accept all of them. */
  #formed(variable: number | undefined, type: number): number | undefined {
    if (variable === undefined || this.#random.below(4) > 0) return variable;
    const { draft } = this;
    const { genericId } = this.#typed.types[type] ?? {};
    const other = draft.variable();
    switch (this.#random.below(4)) {
      case 0:
        draft.call(["store_temp", type], [variable], [other]);
        return other;
      case 1: {
        const box = draft.type("Box", type);
        draft.call(["store_temp", type], [variable], [variable]);
        draft.call(["into_box", type], [variable], [other]);
        draft.call(["store_temp", box], [other], [other]);
        draft.call(["unbox", type], [other], [variable]);
        return variable;
      }
      case 2: {
        if (genericId !== "felt252") return variable;
        const [summand, sum] = [draft.variable(), draft.variable()];
        draft.call(["felt252_const", this.#random.pick(FELTS) ?? 0n], [], [summand]);
        draft.call(
          [this.#random.below(2) === 0 ? "felt252_add" : "felt252_mul"],
          [variable, summand],
          [sum],
        );
        return sum;
      }
      default:
        return variable;
    }
  }

  #constantVariable(type: number): number | undefined {
    const constant = this.#constant(type);
    if (constant === undefined) return undefined;
    const made = this.draft.variable();
    this.draft.call(["const_as_immediate", constant], [], [made]);
    if (this.#random.below(2) === 0) this.draft.call(["store_temp", type], [made], [made]);
    return made;
  }

  /** Type of a constant of a type; `undefined` if there are no such constants. */
  #constant(type: number, depth = 0): number | undefined {
    // A damaged type may contain itself.
    if (depth > MAX_DEPTH) return undefined;
    const known = this.#typed.types[type];
    const random = this.#random;
    if (known?.genericId === "felt252") {
      return this.draft.type("Const", type, random.pick(FELTS) ?? 0n);
    }
    switch (known?.data.kind) {
      case "integer": {
        const { lower, upper } = known.data.range;
        const values = [lower, upper - 1n, (lower + upper) / 2n];
        const value = random.below(16) === 0 ? upper : (random.pick(values) ?? lower);
        return this.draft.type("Const", type, value);
      }
      case "wrapper": {
        const inner =
          known.genericId === "NonZero" ? this.#constant(known.data.inner, depth + 1) : undefined;
        return inner === undefined ? undefined : this.draft.type("Const", type, inner);
      }
      case "struct": {
        // Constants without cells are not allowed.
        if (known.data.members.length === 0 && random.below(8) > 0) return undefined;
        const members = known.data.members.map((member) => this.#constant(member, depth + 1));
        const all = members.filter((member) => member !== undefined);
        return all.length < members.length ? undefined : this.draft.type("Const", type, ...all);
      }
      default:
        return undefined;
    }
  }
}

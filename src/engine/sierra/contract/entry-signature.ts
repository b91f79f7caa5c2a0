import {
  type BuiltinName,
  ENTRY_POINT_BUILTINS,
  isInBuiltinOrder,
} from "#protocol/versions/index.ts";
import type { Program, TypeDeclaration } from "../program/program.ts";
import { CompileError } from "../compile-error.ts";

/** Names of the types that represent builtins of entry points. */
const TYPE_NAMES: Readonly<Record<(typeof ENTRY_POINT_BUILTINS)[number], string>> = {
  pedersen: "Pedersen",
  range_check: "RangeCheck",
  bitwise: "Bitwise",
  ec_op: "EcOp",
  poseidon: "Poseidon",
  segment_arena: "SegmentArena",
  range_check96: "RangeCheck96",
  add_mod: "AddMod",
  mul_mod: "MulMod",
};

/** Builtins by type name, in their required order. */
const BUILTINS: ReadonlyMap<string | undefined, BuiltinName> = new Map(
  ENTRY_POINT_BUILTINS.map((builtin) => [TYPE_NAMES[builtin], builtin]),
);

/**
 * Checks the signature of a function used as an entry point. Parameters: builtins in order, gas, system, and
 * the calldata as a span of felts. Results: the same builtins, gas, system, and a `PanicResult` with a span
 * of felts.
 *
 * @returns the builtins by their names in compiled classes
 * @throws {CompileError} SIERRA_ENTRY_POINT when the signature differs
 */
export function entryPointBuiltins(program: Program, functionIndex: number): BuiltinName[] {
  const types = new TypeShapes(program.types);
  const declaration = program.functions[functionIndex];
  if (declaration === undefined) return refuse(functionIndex, "it exists");
  const params = declaration.params.map(({ type }) => type);
  const returned = [...declaration.returns];
  const calldata = params.pop();
  const result = returned.pop();
  const isSame = params.length === returned.length && params.every((t, i) => t === returned[i]);
  if (calldata === undefined || result === undefined || !isSame) {
    return refuse(functionIndex, "it takes and returns the same builtins around one value");
  }
  if (!types.isFeltSpan(calldata)) refuse(functionIndex, "its last parameter is a span of felts");
  if (!types.isPanicResult(result)) {
    refuse(functionIndex, "its last result is a span of felts, or a panic with an array of felts");
  }
  const [system, gas] = [params.pop(), params.pop()].map((type) => types.nameOf(type));
  if (system !== "System" || gas !== "GasBuiltin") {
    refuse(functionIndex, "its last builtins are gas and system");
  }
  return orderedBuiltins(
    params.map((type) => types.nameOf(type)),
    functionIndex,
  );
}

function orderedBuiltins(
  names: readonly (string | undefined)[],
  functionIndex: number,
): BuiltinName[] {
  const builtins = names.flatMap((name) => BUILTINS.get(name) ?? []);
  if (builtins.length === names.length && isInBuiltinOrder(builtins, ENTRY_POINT_BUILTINS)) {
    return builtins;
  }
  const order = [...BUILTINS.keys()].join(", ");
  return refuse(functionIndex, `its builtins are some of ${order}, in this order`);
}

/** Tests for the shapes of types in entry point signatures. */
class TypeShapes {
  readonly #types: readonly TypeDeclaration[];

  constructor(types: readonly TypeDeclaration[]) {
    this.#types = types;
  }

  nameOf(type: number | undefined): string | undefined {
    return type === undefined ? undefined : this.#types[type]?.genericId;
  }

  isFeltSpan(type: number): boolean {
    const [snapshot, ...more] = this.#members(type, "Struct") ?? [];
    const array = more.length === 0 ? this.#inner(snapshot, "Snapshot") : undefined;
    return this.#isFeltArray(array);
  }

  /** `Result<(Span<felt252>,), (Panic, Array<felt252>)>`, or with only an array as the error. */
  isPanicResult(type: number): boolean {
    const variants = this.#members(type, "Enum");
    const [ok, error] = variants ?? [];
    if (variants?.length !== 2 || ok === undefined || error === undefined) return false;
    const members = this.#members(ok, "Struct");
    const [span] = members ?? [];
    if (members?.length !== 1 || span === undefined || !this.isFeltSpan(span)) return false;
    return this.#isFeltArray(error) || this.#isPanic(error);
  }

  #isPanic(type: number): boolean {
    const members = this.#members(type, "Struct");
    const [panic, data] = members ?? [];
    if (members?.length !== 2 || panic === undefined) return false;
    return this.#members(panic, "Struct")?.length === 0 && this.#isFeltArray(data);
  }

  #isFeltArray(type: number | undefined): boolean {
    return this.nameOf(this.#inner(type, "Array")) === "felt252";
  }

  #inner(type: number | undefined, genericId: string): number | undefined {
    const declaration = type === undefined ? undefined : this.#types[type];
    if (declaration?.genericId !== genericId || declaration.args.length !== 1) return undefined;
    const [inner] = declaration.args;
    return inner?.kind === "type" ? inner.type : undefined;
  }

  /** Members of a struct or variants of an enum; `undefined` for other types. */
  #members(type: number, genericId: string): number[] | undefined {
    const declaration = this.#types[type];
    if (declaration?.genericId !== genericId) return undefined;
    const [name, ...members] = declaration.args;
    if (name?.kind !== "user_type") return undefined;
    const types = members.flatMap((each) => (each.kind === "type" ? [each.type] : []));
    return types.length === members.length ? types : undefined;
  }
}

function refuse(functionIndex: number, expected: string): never {
  throw new CompileError(
    "SIERRA_ENTRY_POINT",
    `function ${functionIndex} cannot serve as an entry point: expected that ${expected}`,
    { function: functionIndex },
  );
}

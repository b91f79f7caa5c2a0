import type { BuiltinName } from "#protocol/versions/index.ts";
import type { Program, TypeDeclaration } from "../program/program.ts";
import { CompileError } from "../compile-error.ts";

/** Builtins of entry points in the order in which they must stand, with their names in compiled classes. */
const BUILTIN_ORDER = [
  ["Pedersen", "pedersen"],
  ["RangeCheck", "range_check"],
  ["Bitwise", "bitwise"],
  ["EcOp", "ec_op"],
  ["Poseidon", "poseidon"],
  ["SegmentArena", "segment_arena"],
  ["RangeCheck96", "range_check96"],
  ["AddMod", "add_mod"],
  ["MulMod", "mul_mod"],
] as const satisfies readonly (readonly [string, BuiltinName])[];

/**
 * Checks the signature of a function that serves as an entry point: builtins in their order, gas, system
 * and the calldata, a span of felts; back come the same builtins, gas, system and a `PanicResult` with a
 * span of felts.
 *
 * @returns the builtins by their names in compiled classes
 * @throws {CompileError} SIERRA_ENTRY_POINT when the signature is another
 */
export function entryPointBuiltins(program: Program, functionIndex: number): BuiltinName[] {
  const types = new TypeShapes(program.types);
  const declaration = program.functions[functionIndex];
  if (declaration === undefined) return refuse(functionIndex, "there is no such function");
  const params = declaration.params.map(({ type }) => type);
  const returned = [...declaration.returns];
  const calldata = params.pop();
  const result = returned.pop();
  const isSame = params.length === returned.length && params.every((t, i) => t === returned[i]);
  if (calldata === undefined || result === undefined || !isSame) {
    return refuse(functionIndex, "it takes and gives the same builtins around one value");
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
  let at = 0;
  return names.map((name) => {
    const found = BUILTIN_ORDER.findIndex(([known], i) => i >= at && known === name);
    const builtin = BUILTIN_ORDER[found]?.[1];
    if (builtin === undefined) {
      return refuse(functionIndex, `its builtins are some of ${ORDER_TEXT}, in this order`);
    }
    at = found + 1;
    return builtin;
  });
}

const ORDER_TEXT = BUILTIN_ORDER.map(([name]) => name).join(", ");

/** Shapes of types that entry points have. */
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

  /** `Result<(Span<felt252>,), (Panic, Array<felt252>)>`, or with an array alone as the error. */
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

  /** Members of a struct or variants of an enum; `undefined` when it is something else. */
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

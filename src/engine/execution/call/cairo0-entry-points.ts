import { type BuiltinName, isInBuiltinOrder, LEGACY_BUILTINS } from "#protocol/versions/index.ts";
import type { EntryPointType, LegacyEntryPoint, LegacyProgram } from "#protocol/chain/index.ts";
import { type Felt, paddedHexFromFelt } from "#base/primitives/index.ts";
import { type CallError, messageError } from "./errors.ts";
import { CONSTRUCTOR_SELECTOR } from "./felts.ts";

/** Selector of the entry point that receives all calls without a matching entry point. */
const DEFAULT_SELECTOR = 0n;

const TYPE_NAMES: Readonly<Record<EntryPointType, string>> = {
  EXTERNAL: "External",
  L1_HANDLER: "L1Handler",
  CONSTRUCTOR: "Constructor",
};

/** Result of an entry point lookup in a Cairo 0 class. */
export type LegacyLookup =
  | { readonly kind: "found"; readonly entryPoint: LegacyEntryPoint }
  | { readonly kind: "not_found"; readonly name: string; readonly message: string }
  | { readonly kind: "error"; readonly error: CallError };

/** Finds the entry point of a selector; falls back to the default one if it is first in the class's table. */
export function findLegacyEntryPoint(
  program: LegacyProgram,
  type: EntryPointType,
  selector: Felt,
): LegacyLookup {
  const invalid = builtinProblem(program.builtins);
  if (invalid !== undefined) return { kind: "error", error: invalid };
  if (type === "CONSTRUCTOR" && selector !== CONSTRUCTOR_SELECTOR) {
    return failure(
      "InvalidConstructorEntryPointName",
      "The constructor entry point must be named 'constructor'.",
    );
  }
  const table = program.entryPoints[type];
  const [entryPoint, second] = table.filter((each) => each.selector === selector);
  if (second !== undefined) {
    return failure(
      "DuplicatedEntryPointSelector",
      `Entry point ${paddedHexFromFelt(selector)} of type ${TYPE_NAMES[type]} is not unique.`,
    );
  }
  if (entryPoint !== undefined) return { kind: "found", entryPoint };
  const [first] = table;
  if (first === undefined) {
    return {
      kind: "not_found",
      name: "PreExecutionError.NoEntryPointOfTypeFound",
      message: `No entry points of type ${TYPE_NAMES[type]} found in contract.`,
    };
  }
  if (first.selector === DEFAULT_SELECTOR) return { kind: "found", entryPoint: first };
  return {
    kind: "not_found",
    name: "PreExecutionError.EntryPointNotFound.EntryPointSelector",
    message: `Entry point EntryPointSelector(0x${selector.toString(16)}) not found in contract.`,
  };
}

function failure(name: string, message: string): LegacyLookup {
  return { kind: "error", error: messageError(`PreExecutionError.${name}`, message) };
}

function builtinProblem(builtins: readonly BuiltinName[]): CallError | undefined {
  const unsupported = builtins.filter((name) => !LEGACY_BUILTINS.includes(name));
  if (unsupported.length > 0) {
    return messageError(
      "PreExecutionError.UnsupportedCairo0Builtin",
      `Called builtins: {${unsupported.join(", ")}} are unsupported in a Cairo0 contract`,
    );
  }
  if (!isInBuiltinOrder(builtins, LEGACY_BUILTINS)) {
    return messageError(
      "PreExecutionError.RunnerError.DisorderedBuiltins",
      "Given builtins are not in appropiate order",
    );
  }
  return undefined;
}

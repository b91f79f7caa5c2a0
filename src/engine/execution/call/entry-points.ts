import type {
  CasmClass,
  CasmEntryPoint,
  EntryPointType,
  ExecutableClass,
} from "#protocol/chain/index.ts";
import { entryPointBuiltinsProblem } from "#engine/cairo/index.ts";
import { type Felt, paddedHexFromFelt } from "#base/primitives/index.ts";
import { findLegacyEntryPoint } from "./cairo0-entry-points.ts";
import { type CallError, messageError } from "./errors.ts";
import { CONSTRUCTOR_SELECTOR } from "./felts.ts";

/** Result of an entry point lookup. */
export type EntryPointLookup =
  | { readonly kind: "found"; readonly entryPoint: CasmEntryPoint }
  | { readonly kind: "not_found" }
  | { readonly kind: "error"; readonly error: CallError };

type Tables = Readonly<Record<EntryPointType, ReadonlyMap<Felt, EntryPointLookup>>>;

const tables = new WeakMap<CasmClass, Tables>();

const NOT_FOUND: EntryPointLookup = { kind: "not_found" };

/** Finds the entry point of a selector; lookup tables are created once per class. */
export function findEntryPoint(
  casm: CasmClass,
  type: EntryPointType,
  selector: Felt,
): EntryPointLookup {
  if (type === "CONSTRUCTOR" && selector !== CONSTRUCTOR_SELECTOR) {
    return {
      kind: "error",
      error: messageError(
        "PreExecutionError.InvalidConstructorEntryPointName",
        "The constructor entry point must be named 'constructor'.",
      ),
    };
  }
  let found = tables.get(casm);
  if (found === undefined) {
    found = {
      EXTERNAL: tableOf(casm.entryPoints.EXTERNAL, "External"),
      L1_HANDLER: tableOf(casm.entryPoints.L1_HANDLER, "L1Handler"),
      CONSTRUCTOR: tableOf(casm.entryPoints.CONSTRUCTOR, "Constructor"),
    };
    tables.set(casm, found);
  }
  return found[type].get(selector) ?? NOT_FOUND;
}

function tableOf(
  entryPoints: readonly CasmEntryPoint[],
  typeName: string,
): ReadonlyMap<Felt, EntryPointLookup> {
  const table = new Map<Felt, EntryPointLookup>();
  for (const entryPoint of entryPoints) {
    const { selector } = entryPoint;
    table.set(
      selector,
      table.has(selector)
        ? {
            kind: "error",
            error: messageError(
              "PreExecutionError.DuplicatedEntryPointSelector",
              `Entry point ${paddedHexFromFelt(selector)} of type ${typeName} is not unique.`,
            ),
          }
        : lookupOf(entryPoint),
    );
  }
  return table;
}

function lookupOf(entryPoint: CasmEntryPoint): EntryPointLookup {
  const problem = entryPointBuiltinsProblem(entryPoint.builtins);
  if (problem !== undefined) {
    const error = messageError("PreExecutionError.UnsupportedCairo1Builtins", problem);
    return { kind: "error", error };
  }
  return { kind: "found", entryPoint };
}

/** Whether a class has an external entry point for a selector, or a default one. */
export function hasExternalEntryPoint(executable: ExecutableClass, selector: Felt): boolean {
  const lookup =
    executable.casm === null
      ? findLegacyEntryPoint(executable.program, "EXTERNAL", selector)
      : findEntryPoint(executable.casm, "EXTERNAL", selector);
  return lookup.kind !== "not_found";
}

/** Selector of a class's constructor; `undefined` if it has none. */
export function constructorSelector(executable: ExecutableClass): Felt | undefined {
  const { entryPoints } = executable.casm ?? executable.program;
  return entryPoints.CONSTRUCTOR[0]?.selector;
}

import type { GenericArgument, TypeDeclaration, TypeInfo } from "#engine/sierra/program/program.ts";
import { userTypeId } from "#engine/sierra/program/user-type.ts";

/**
 * A generic id and its arguments: names of types, `ut@...` user types, `fn@0` functions, numbers.
 */
export type Declared = readonly [string, ...(string | bigint)[]];

/**
 * Declarations of types by names of the test, in the order of the names.
 *
 * @param stated - info that the program declares, by name
 */
export function declarations(
  named: Readonly<Record<string, Declared>>,
  stated: Readonly<Record<string, TypeInfo>> = {},
): TypeDeclaration[] {
  const indexes = new Map(Object.keys(named).map((name, index) => [name, index]));
  const names = { length: indexes.size, indexOf: (name: string) => indexes.get(name) ?? -1 };
  return Object.entries(named).map(([name, [genericId, ...args]]) => ({
    genericId,
    args: args.map((each) => argument(names, each)),
    declared: stated[name],
  }));
}

/** Parses info marks: `s`torable, `d`roppable, `c`opied, `z`ero sized. */
export function infoOf(marks: string): TypeInfo {
  return {
    storable: marks.includes("s"),
    droppable: marks.includes("d"),
    duplicatable: marks.includes("c"),
    zeroSized: marks.includes("z"),
  };
}

/** An argument in the notation of {@link Declared}. */
export function argument(
  names: Pick<readonly string[], "length" | "indexOf">,
  text: string | bigint,
): GenericArgument {
  if (typeof text === "bigint") return { kind: "value", value: text };
  if (text.startsWith("ut@")) return { kind: "user_type", id: userTypeId(text.slice(3)) };
  if (text.startsWith("fn@")) return { kind: "function", function: Number(text.slice(3)) };
  const type = names.indexOf(text);
  return { kind: "type", type: type < 0 ? names.length : type };
}

import type { JsonObject, JsonValue } from "#base/codec/index.ts";

/** Value within a JSON document, with its path and a way to replace it. */
export interface JsonPlace {
  /** Path in the format of decoders: `block.transactions[0].nonce`. */
  readonly path: string;
  /** Path without indices: `block.transactions.nonce`. */
  readonly name: string;
  readonly value: JsonValue;
  /** The document with another value in this place; `undefined` removes the member. */
  with(value: JsonValue | undefined): JsonValue;
}

/** Every place of a document except the root; of an array, its first two elements. */
export function placesOf(document: JsonValue): readonly JsonPlace[] {
  const found: JsonPlace[] = [];
  visit(document, "", "", (value) => value as JsonValue, found);
  return found;
}

type Rebuild = (value: JsonValue | undefined) => JsonValue;

function visit(
  value: JsonValue,
  path: string,
  name: string,
  rebuild: Rebuild,
  found: JsonPlace[],
): void {
  const enter = (child: JsonValue, childPath: string, childName: string, with_: Rebuild) => {
    found.push({ path: childPath, name: childName, value: child, with: with_ });
    visit(child, childPath, childName, with_, found);
  };
  if (Array.isArray(value)) {
    const list = value as readonly JsonValue[];
    for (const [i, child] of list.slice(0, 2).entries()) {
      const with_: Rebuild = (other) =>
        rebuild(other === undefined ? list.toSpliced(i, 1) : list.with(i, other));
      enter(child, `${path}[${i}]`, name, with_);
    }
  } else if (typeof value === "object" && value !== null) {
    const members = value as JsonObject;
    for (const [key, child] of Object.entries(members)) {
      if (child === undefined) continue;
      const with_: Rebuild = (other) => {
        const { [key]: _replaced, ...rest } = members;
        return rebuild(other === undefined ? rest : { ...rest, [key]: other });
      };
      const separator = path === "" ? "" : ".";
      enter(child, `${path}${separator}${key}`, `${name}${separator}${key}`, with_);
    }
  }
}

/** One value of each JSON type other than that of `value`. */
export function otherTypes(value: JsonValue): readonly JsonValue[] {
  const all: readonly JsonValue[] = [null, true, 7, "x", [], {}];
  const typeOf = (each: JsonValue) => {
    if (each === null) return "null";
    if (typeof each === "bigint") return "number";
    return Array.isArray(each) ? "array" : typeof each;
  };
  return all.filter((each) => typeOf(each) !== typeOf(value));
}

import type { Json } from "#test/helpers/json-schema.ts";

/** Verbatim JSON text: numbers and texts that no program would write. */
export class Verbatim {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An object with arbitrary and possibly repeated names. */
export class Members {
  readonly entries: readonly (readonly [name: string, value: Tree])[];

  constructor(entries: Members["entries"]) {
    this.entries = entries;
  }
}

/** A JSON document that can be changed into an unusual or invalid one. */
export type Tree = null | boolean | number | string | Verbatim | Members | readonly Tree[];

/** An object of known names. */
export function members(values: Readonly<Record<string, Tree>>): Members {
  return new Members(Object.entries(values));
}

/** A plain document as a tree. */
export function treeOf(value: Json): Tree {
  if (Array.isArray(value)) return (value as readonly Json[]).map(treeOf);
  if (typeof value !== "object" || value === null) return value as Tree;
  return new Members(Object.entries(value).map(([name, inner]) => [name, treeOf(inner)]));
}

/** The text of a tree. */
export function textOf(tree: Tree): string {
  if (tree instanceof Verbatim) return tree.text;
  if (tree instanceof Members) {
    const parts = tree.entries.map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`);
    return `{${parts.join(",")}}`;
  }
  return Array.isArray(tree)
    ? `[${(tree as readonly Tree[]).map(textOf).join(",")}]`
    : JSON.stringify(tree);
}

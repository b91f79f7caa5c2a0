import type { Json } from "#test/helpers/json-schema.ts";

/** JSON text that stands as it is: numbers and texts that no value of a program would give. */
export class Verbatim {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An object whose names may be anything, also twice. */
export class Members {
  readonly entries: readonly (readonly [name: string, value: Tree])[];

  constructor(entries: Members["entries"]) {
    this.entries = entries;
  }
}

/** A JSON document that can be changed into what is hardly one. */
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

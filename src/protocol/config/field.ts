import type { IssueList } from "./issue-list.ts";
import { nearest, shownWord } from "#base/primitives/index.ts";
import { below, type ConfigNode } from "./tree.ts";

/**
 * Two-way mapping between a configuration value and its YAML form.
 *
 * Unlike a codec it continues after a wrong value, so that one run reports every finding.
 */
export interface Field<T> {
  /** Expected form, for messages. */
  readonly describe: string;
  /** Accepted mappings, for documents; omitted if the field is not a mapping. */
  readonly shapes?: readonly FieldShape[];
  /** Reads a node; when it is invalid, reports to `issues` and returns `undefined`. */
  read(node: ConfigNode, path: string, issues: IssueList): T | undefined;
  /** Returns the plain value to write as YAML. */
  write(value: T): unknown;
}

/** Members of a mapping with fixed names, as the generated documentation lists them. */
export interface FieldShape {
  /** Distinguishes the shapes of a field; empty if there is only one. */
  readonly name: string;
  /** Path of its members below the field: `` for a mapping, `[]` for the items of a list. */
  readonly place: string;
  readonly members: readonly Member<unknown>[];
}

/**
 * Returns the documented shapes of `field` for another field that wraps it; `place` is their path
 * below the wrapper.
 */
export function shapesOf(
  field: Pick<Field<unknown>, "shapes">,
  place = "",
  name = "",
): { readonly shapes?: readonly FieldShape[] } {
  if (field.shapes === undefined) return {};
  return {
    shapes: field.shapes.map((shape) => ({
      ...shape,
      name: name === "" ? shape.name : name,
      place: place + shape.place,
    })),
  };
}

/** Name and default of a section's member. */
export interface Member<T> {
  /** Name in the file. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly field: Field<T>;
  /** Default; `undefined` when the member is required. */
  readonly fallback: (() => T) | undefined;
}

/** Required member. */
export function required<T>(name: string, field: Field<T>): Member<T> {
  return { name, aliases: [], field, fallback: undefined };
}

/** Member with a default. */
export function optional<T>(
  name: string,
  field: Field<T>,
  fallback: T,
  aliases: readonly string[] = [],
): Member<T> {
  return { name, aliases, field, fallback: () => fallback };
}

/** Members of a section by the property names of the resulting object. */
export type MembersOf<T> = { readonly [K in keyof T]-?: Member<T[K]> };

/**
 * Adds an issue for a value of the wrong form, which names the expected form.
 *
 * @returns `undefined`, the result of a field that cannot be read
 */
export function expected(
  issues: IssueList,
  path: string,
  line: number,
  describe: string,
  node?: ConfigNode,
): undefined {
  const got = node === undefined ? "" : `, got ${describeNode(node)}`;
  issues.add(path, line, `expected ${describe}${got}`);
  return undefined;
}

function describeNode(node: ConfigNode): string {
  if (node.kind === "map") return "a mapping";
  if (node.kind === "list") return "a list";
  if (node.value === null) return "nothing";
  const text = shownWord(typeof node.value === "string" ? node.value : node.source);
  return text.length > 60 ? `"${text.slice(0, 60)}..."` : `"${text}"`;
}

/** Mapping with fixed members, listed in documents. */
export interface Section<T> extends Field<T> {
  readonly members: MembersOf<T>;
  /** Reads the valid members, so that they can be cross-checked; reports like `read`. */
  readMembers(node: ConfigNode, path: string, issues: IssueList): Partial<T> | undefined;
}

/**
 * Mapping with fixed members. Reports all unknown (with the nearest known name), missing and invalid members.
 */
export function section<T extends object>(describe: string, members: MembersOf<T>): Section<T> {
  const list = Object.entries(members) as [string, Member<unknown>][];
  const names = list.flatMap(([, member]) => [member.name, ...member.aliases]);
  const field: Section<T> = {
    describe,
    shapes: [{ name: "", place: "", members: list.map(([, member]) => member) }],
    members,
    read(node, path, issues) {
      const before = issues.count;
      const result = field.readMembers(node, path, issues);
      return issues.count === before ? (result as T | undefined) : undefined;
    },
    readMembers(node, path, issues) {
      if (node.kind !== "map") return expected(issues, path, node.line, describe, node);
      for (const [name, entry] of node.entries) {
        if (!names.includes(name)) {
          issues.add(below(path, name), entry.line, () => unknownName("field", name, names));
        }
      }
      const result: Record<string, unknown> = {};
      for (const [key, member] of list) {
        const present = [member.name, ...member.aliases].filter((name) => node.entries.has(name));
        const [name] = present;
        const entry = name === undefined ? undefined : node.entries.get(name);
        if (present.length > 1) {
          const [, second = ""] = present;
          issues.add(
            below(path, second),
            node.entries.get(second)?.line ?? 0,
            `the same as ${present[0]}: give one of them`,
          );
        }
        if (entry !== undefined && name !== undefined) {
          result[key] = member.field.read(entry.node, below(path, name), issues);
        } else if (member.fallback !== undefined) {
          result[key] = member.fallback();
        } else {
          const what = `${member.field.describe} (it is missing)`;
          expected(issues, below(path, member.name), node.line, what);
        }
      }
      return result as Partial<T>;
    },
    write(value) {
      const source = value as Readonly<Record<string, unknown>>;
      const result: Record<string, unknown> = {};
      for (const [key, member] of list) {
        const written = member.field.write(source[key]);
        if (written !== undefined) result[member.name] = written;
      }
      return result;
    },
  };
  return field;
}

/** Message for an unknown name, with the nearest known one: "unknown field; did you mean ...?". */
export function unknownName(kind: string, name: string, names: readonly string[]): string {
  const match = nearest(name, names);
  return match === undefined
    ? `unknown ${kind}; known: ${names.join(", ")}`
    : `unknown ${kind}; did you mean ${match}?`;
}

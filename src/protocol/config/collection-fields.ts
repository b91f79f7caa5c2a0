import { expected, type Field, shapesOf } from "./field.ts";
import { below, type ConfigNode } from "./tree.ts";

/** List of `field`. */
export function listField<T>(field: Field<T>): Field<readonly T[]> {
  const describe = `list of ${field.describe}`;
  return {
    describe,
    ...shapesOf(field, "[]"),
    read(node, path, issues) {
      if (node.kind !== "list") return expected(issues, path, node.line, describe, node);
      const values = node.items.map((item, i) => field.read(item, `${path}[${i}]`, issues));
      return values.every((value) => value !== undefined) ? (values as readonly T[]) : undefined;
    },
    write: (values) => values.map((value) => field.write(value)),
  };
}

/**
 * Mapping whose names are data.
 *
 * @param readName - key of a name; `undefined` when the name is wrong
 */
export function mapField<K, V>(
  names: {
    readonly describe: string;
    readonly read: (name: string) => K | undefined;
    readonly write: (key: K) => string;
  },
  values: Field<V>,
): Field<ReadonlyMap<K, V>> {
  const describe = `mapping from ${names.describe} to ${values.describe}`;
  return {
    describe,
    ...shapesOf(values, ".NAME"),
    read(node, path, issues) {
      if (node.kind !== "map") return expected(issues, path, node.line, describe, node);
      const result = new Map<K, V>();
      for (const [name, entry] of node.entries) {
        const key = names.read(name);
        const at = below(path, name);
        if (key === undefined) expected(issues, at, entry.line, `a name that is ${names.describe}`);
        else if (result.has(key)) issues.add(at, entry.line, "the same name occurs twice");
        const value = values.read(entry.node, at, issues);
        if (key !== undefined && value !== undefined) result.set(key, value);
      }
      return result;
    },
    write: (map) =>
      Object.fromEntries([...map].map(([key, value]) => [names.write(key), values.write(value)])),
  };
}

/**
 * Field with several shapes, selected by inspecting the node.
 *
 * @param all - every shape by a few words that distinguish it
 */
export function shapeField<T>(
  describe: string,
  pick: (node: ConfigNode) => Field<T> | undefined,
  pickFor: (value: T) => Field<T>,
  all: Readonly<Record<string, Pick<Field<unknown>, "shapes">>>,
): Field<T> {
  return {
    describe,
    shapes: Object.entries(all).flatMap(([name, field]) => shapesOf(field, "", name).shapes ?? []),
    read(node, path, issues) {
      const field = pick(node);
      return field === undefined
        ? expected(issues, path, node.line, describe, node)
        : field.read(node, path, issues);
    },
    write: (value) => pickFor(value).write(value),
  };
}

/** Returns the text of a mapping's member; `undefined` if it is missing or not a scalar. */
export function memberText(node: ConfigNode, name: string): string | undefined {
  if (node.kind !== "map") return undefined;
  const member = node.entries.get(name)?.node;
  if (member?.kind !== "scalar") return undefined;
  return typeof member.value === "string" ? member.value : member.source;
}

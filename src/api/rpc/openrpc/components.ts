import {
  isNamed,
  type JsonObject,
  type JsonValue,
  type NamedSchema,
  type Schema,
  type SchemaKeywords,
  stringifyJson,
} from "#base/codec/index.ts";
import { invariant } from "#base/errors/index.ts";

/** Named schemas of a document, each written once. */
export class SchemaComponents {
  readonly #written = new Map<string, { readonly source: NamedSchema; json: JsonObject }>();

  /**
   * Writes a schema for the document: named ones become references.
   *
   * @throws {InvariantError} when two different schemas have the same name
   */
  write(schema: Schema): JsonObject {
    if (!isNamed(schema)) return this.#keywords(schema);
    const { name } = schema;
    const known = this.#written.get(name);
    if (known === undefined) {
      // Registered before it is written, because it may refer to itself.
      const entry = { source: schema, json: {} as JsonObject };
      this.#written.set(name, entry);
      entry.json = this.#keywords(schema.schema());
    } else if (known.source !== schema) {
      const json = this.#keywords(schema.schema());
      invariant(
        stringifyJson(json) === stringifyJson(known.json),
        `two schemas are called ${name}`,
      );
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Returns all referenced schemas by name. */
  all(): JsonObject {
    const entries = [...this.#written].map(([name, { json }]) => [name, json] as const);
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  #keywords(keywords: SchemaKeywords): JsonObject {
    const { items, properties, additionalProperties: more, oneOf, anyOf, ...plain } = keywords;
    return {
      ...(plain as JsonObject),
      ...(items === undefined ? {} : { items: this.#items(items) }),
      ...(properties === undefined ? {} : { properties: this.#members(properties) }),
      ...(more === undefined ? {} : { additionalProperties: more && this.write(more) }),
      ...(oneOf === undefined ? {} : { oneOf: oneOf.map((schema) => this.write(schema)) }),
      ...(anyOf === undefined ? {} : { anyOf: anyOf.map((schema) => this.write(schema)) }),
    };
  }

  #items(items: Schema | readonly Schema[]): JsonValue {
    return isList(items) ? items.map((schema) => this.write(schema)) : this.write(items);
  }

  #members(members: Readonly<Record<string, Schema>>): JsonObject {
    return Object.fromEntries(
      Object.entries(members).map(([name, schema]) => [name, this.write(schema)]),
    );
  }
}

function isList(items: Schema | readonly Schema[]): items is readonly Schema[] {
  return Array.isArray(items);
}

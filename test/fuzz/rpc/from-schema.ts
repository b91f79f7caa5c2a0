import type { Json, JsonObject } from "#test/helpers/json-schema.ts";
import type { OpenRpcDocuments } from "./documents.ts";
import { edgeNumber } from "./edges.ts";
import { Members, type Tree } from "./tree.ts";
import { type Setting, typicalValue } from "./typical.ts";

/** Deeper schemas get the smallest value that they allow. */
const MAX_DEPTH = 9;

/**
 * Generates values that a schema allows; members of known names mostly get the chain's own values.
 */
export class SchemaValues {
  readonly #documents: OpenRpcDocuments;
  readonly #setting: Setting;
  readonly #method: string;

  constructor(documents: OpenRpcDocuments, method: string, setting: Setting) {
    this.#documents = documents;
    this.#method = method;
    this.#setting = setting;
  }

  /** @param document - the file that relative references of the schema start from */
  value(schema: JsonObject, document: string, depth = 0): Tree {
    const { random } = this.#setting;
    const reference = schema["$ref"];
    if (typeof reference === "string") {
      const place = this.#documents.resolve(reference, document);
      return this.value(place.schema, place.document, depth + 1);
    }
    const wrapped = schema["schema"];
    if (isObject(wrapped)) return this.value(wrapped, document, depth);
    const alternatives = list(schema["oneOf"] ?? schema["anyOf"]);
    const chosen = random.pick(alternatives);
    if (isObject(chosen)) return this.value(chosen, document, depth + 1);
    const parts = list(schema["allOf"]).filter(isObject);
    if (parts.length > 0) {
      const values = parts
        .filter((part) => part["not"] === undefined)
        .map((part) => this.value(part, document, depth + 1));
      const objects = values.filter((value) => value instanceof Members);
      return objects.length === 0
        ? (values[0] ?? null)
        : new Members([
            ...objects.flatMap(({ entries }) => entries),
            ...this.#members(schema, document, depth),
          ]);
    }
    const values = list(schema["enum"]);
    if (values.length > 0) return (random.pick(values) ?? null) as Tree;
    if (schema["const"] !== undefined) return schema["const"] as Tree;
    return this.#ofType(schema, document, depth);
  }

  #ofType(schema: JsonObject, document: string, depth: number): Tree {
    const { random } = this.#setting;
    switch (schema["type"]) {
      case "string":
        return `0x${random.below(2 ** 30).toString(16)}`;
      case "integer":
      case "number":
        if (random.below(8) === 0) return edgeNumber(random);
        return random.below(random.below(2) === 0 ? 4 : 2 ** 31);
      case "boolean":
        return random.below(2) === 0;
      case "array": {
        const { items } = schema;
        const length = depth > MAX_DEPTH ? 0 : random.below(4);
        return Array.from({ length }, () =>
          isObject(items) ? this.value(items, document, depth + 1) : null,
        );
      }
      default:
        return new Members(this.#members(schema, document, depth));
    }
  }

  #members(schema: JsonObject, document: string, depth: number): Members["entries"] {
    const { properties } = schema;
    if (!isObject(properties)) return [];
    const { random } = this.#setting;
    const required = list(schema["required"]);
    return Object.entries(properties)
      .filter(([name]) => required.includes(name) || (depth <= MAX_DEPTH && random.below(2) === 0))
      .map(([name, inner]) => {
        const typical =
          random.below(4) > 0 ? typicalValue(this.#method, name, this.#setting) : undefined;
        return [name, typical ?? this.value(inner as JsonObject, document, depth + 1)];
      });
  }
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

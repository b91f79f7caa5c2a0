import Ajv, { type ValidateFunction } from "ajv";
import { type JsonObject, type JsonValue, stringifyJson } from "#base/codec/index.ts";
import { createMethodTables } from "#api/rpc/index.ts";
import { openRpcDocument } from "#api/rpc/openrpc/document.ts";

interface OwnMethod {
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly schema: object }[];
  readonly result: { readonly schema: object };
}

/** An OpenRPC document as read by clients. */
export interface OwnDocument {
  readonly methods: readonly OwnMethod[];
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly errors: object;
  };
}

/** Checks values by the schemas of this project's document of one version. */
class OwnSchemas {
  readonly document: OwnDocument;
  readonly #ajv = new Ajv({ strict: false, allErrors: false });
  readonly #checks = new Map<string, ValidateFunction>();

  constructor(document: JsonObject) {
    // Clients read the document's text.
    this.document = JSON.parse(stringifyJson(document)) as OwnDocument;
  }

  resultFindings(method: string, result: unknown): string[] {
    const described = this.#method(method);
    if (described === undefined) return [`our document has no method ${method}`];
    return this.#findings(`result of ${method}`, described.result.schema, result);
  }

  paramFindings(method: string, param: string, value: unknown): string[] {
    const described = this.#method(method)?.params.find(({ name }) => name === param);
    if (described === undefined) return [`our document has no ${param} of ${method}`];
    return this.#findings(`${param} of ${method}`, described.schema, value);
  }

  #method(name: string): OwnMethod | undefined {
    return this.document.methods.find(
      (method) => method.name === `starknet_${name}` || method.name === name,
    );
  }

  #findings(key: string, schema: object, value: unknown): string[] {
    let check = this.#checks.get(key);
    if (check === undefined) {
      const { components } = this.document;
      check = this.#ajv.compile({ allOf: [schema], components });
      this.#checks.set(key, check);
    }
    if (check(value)) return [];
    return (check.errors ?? []).map(
      ({ instancePath, message }) => `our ${key} ${instancePath}: ${message}`,
    );
  }
}

const documents = new Map<string, OwnSchemas>();

/** Schemas of this project's document of a version. */
export function ownSchemas(version: string): OwnSchemas {
  let known = documents.get(version);
  if (known === undefined) {
    const table = createMethodTables().find(({ spec }) => spec.version === version);
    if (table === undefined) throw new RangeError(`no version ${version}`);
    documents.set(version, (known = new OwnSchemas(openRpcDocument(table))));
  }
  return known;
}

/** A value that differs from a response in one place, and that place. */
export interface Mutation {
  readonly place: string;
  readonly kind: "removed" | "malformed";
  readonly value: JsonValue;
}

const HEX = /^0x[0-9a-fA-F]*$/;

/**
 * Variants of a response with each of its members removed, and with each of its felts malformed;
 * one place at a time. Only the first element of a list is changed.
 */
export function* mutations(answer: JsonValue): Iterable<Mutation> {
  yield* mutated(answer, "$", (value) => value);
}

function* mutated(
  value: JsonValue,
  place: string,
  whole: (value: JsonValue) => JsonValue,
): Iterable<Mutation> {
  if (typeof value === "string" && HEX.test(value)) {
    for (const bad of ["0xg", 1]) {
      yield { place, kind: "malformed", value: whole(bad) };
    }
  } else if (Array.isArray(value)) {
    for (const [i, element] of (value as readonly JsonValue[]).slice(0, 1).entries()) {
      const inside = (changed: JsonValue) => whole(value.with(i, changed) as readonly JsonValue[]);
      yield* mutated(element, `${place}[${i}]`, inside);
    }
  } else if (typeof value === "object" && value !== null) {
    const members = value as JsonObject;
    for (const [name, member = null] of Object.entries(members)) {
      const { [name]: _, ...rest } = members;
      yield { place: `${place}.${name}`, kind: "removed", value: whole(rest) };
      yield* mutated(member, `${place}.${name}`, (changed) =>
        whole({ ...members, [name]: changed }),
      );
    }
  }
}

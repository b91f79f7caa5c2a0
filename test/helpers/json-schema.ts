/**
 * Corrections of the specification's patterns, which exclude valid values: a short storage key may
 * start with any digit, like that of block 8 in contract 0x1.
 */
const MEANT_PATTERNS: ReadonlyMap<string, string> = new Map([
  [
    "^0x(0|[0-7]{1}[a-fA-F0-9]{0,62}$)",
    "^0x(0|[0-7][a-fA-F0-9]{0,62}|[1-9a-fA-F][a-fA-F0-9]{0,61})$",
  ],
]);

/** Parsed JSON whose shape the caller knows. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** See {@link Json}. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** A schema with the document that its relative references start from. */
export interface SchemaPlace {
  readonly document: string;
  readonly schema: JsonObject;
}

/** Validates values against the JSON Schema dialect of the OpenRPC files. */
export interface SchemaValidator {
  /**
   * Findings as `path: message`; empty when `value` fits.
   *
   * Stricter than JSON Schema in one point: a member that no matching part of the schema names is
   * a finding. Looser in one: the specification's `oneOf` alternatives overlap, so one or more of
   * them must fit.
   */
  validate(value: unknown, place: SchemaPlace): string[];
  /** The schema that a reference names. */
  resolve(reference: string, from: string): SchemaPlace;
}

interface Findings {
  readonly errors: readonly string[];
  /**
   * Member names that a matching part of the schema defines; `undefined` if none defines members.
   */
  readonly known: ReadonlySet<string> | undefined;
}

/**
 * Creates a validator for the JSON schemas in OpenRPC files.
 *
 * @param documents - parsed documents by file name
 */
export function createSchemaValidator(documents: ReadonlyMap<string, JsonObject>): SchemaValidator {
  const resolved = new Map<string, SchemaPlace>();
  const patterns = new Map<string, RegExp>();
  const names = new WeakMap<JsonObject, ReadonlySet<string>>();

  function resolve(reference: string, from: string): SchemaPlace {
    const key = `${from} ${reference}`;
    const known = resolved.get(key) ?? resolveFirst(reference, from);
    resolved.set(key, known);
    return known;
  }

  function patternOf(text: string): RegExp {
    const known = patterns.get(text) ?? new RegExp(MEANT_PATTERNS.get(text) ?? text);
    patterns.set(text, known);
    return known;
  }

  function namesOf(properties: JsonObject): ReadonlySet<string> {
    const known = names.get(properties) ?? new Set(Object.keys(properties));
    names.set(properties, known);
    return known;
  }

  function resolveFirst(reference: string, from: string): SchemaPlace {
    const [file = "", pointer = ""] = reference.split("#");
    const document = file === "" ? from : (file.split("/").at(-1) ?? "");
    let node: Json | undefined = documents.get(document);
    for (const step of pointer.split("/").slice(1)) {
      node = isObject(node) ? node[step] : undefined;
    }
    if (!isObject(node)) throw new TypeError(`no schema ${reference} in ${from}`);
    return { document, schema: node };
  }

  function check(value: unknown, place: SchemaPlace, path: string): string[] {
    const { errors, known } = collect(value, place, path);
    if (errors.length > 0 || known === undefined || !isObject(value)) return [...errors];
    return Object.keys(value)
      .filter((name) => !known.has(name))
      .map((name) => `${path}.${name}: not in the schema`);
  }

  function collect(value: unknown, { document, schema }: SchemaPlace, path: string): Findings {
    const parts: Findings[] = [checkKeywords(value, { document, schema }, path)];
    const at = (inner: Json): SchemaPlace => ({ document, schema: inner as JsonObject });
    const { $ref: reference, schema: wrapped } = schema;
    if (typeof reference === "string")
      parts.push(collect(value, resolve(reference, document), path));
    if (isObject(wrapped)) parts.push(collect(value, at(wrapped), path));
    for (const inner of list(schema["allOf"])) parts.push(collect(value, at(inner), path));
    for (const keyword of ["oneOf", "anyOf"]) {
      const alternatives = list(schema[keyword]);
      if (alternatives.length === 0) continue;
      parts.push(best(alternatives.map((inner) => collect(value, at(inner), path))));
    }
    const not = schema["not"];
    if (isObject(not) && collect(value, at(not), path).errors.length === 0) {
      parts.push({ errors: [`${path}: is of the excluded kind`], known: undefined });
    }
    return join(parts);
  }

  function checkKeywords(
    value: unknown,
    { document, schema }: SchemaPlace,
    path: string,
  ): Findings {
    const errors: string[] = [];
    const { type, pattern, minimum, items, properties, required } = schema;
    if (typeof type === "string" && !hasType(value, type)) errors.push(`${path}: is not ${type}`);
    const values = schema["enum"];
    if (Array.isArray(values) && !values.includes(value as Json)) {
      errors.push(`${path}: is not one of ${JSON.stringify(values)}`);
    }
    if (schema["const"] !== undefined && schema["const"] !== value) {
      errors.push(`${path}: is not ${JSON.stringify(schema["const"])}`);
    }
    if (
      typeof pattern === "string" &&
      typeof value === "string" &&
      !patternOf(pattern).test(value)
    ) {
      errors.push(`${path}: does not match ${pattern}`);
    }
    if (typeof minimum === "number" && typeof value === "number" && value < minimum) {
      errors.push(`${path}: is below ${minimum}`);
    }
    if (isObject(items) && Array.isArray(value)) {
      value.forEach((element, i) => {
        errors.push(...check(element, { document, schema: items }, `${path}[${i}]`));
      });
    }
    if (!isObject(value)) return { errors, known: undefined };
    // One file has the text "name" instead of a list of names.
    const needed = typeof required === "string" ? [required] : (list(required) as string[]);
    for (const name of needed) {
      if (value[name] === undefined) errors.push(`${path}.${name}: is missing`);
    }
    if (!isObject(properties)) return { errors, known: undefined };
    for (const [name, inner] of Object.entries(properties)) {
      const member = value[name];
      if (member === undefined) continue;
      errors.push(...check(member, { document, schema: inner as JsonObject }, `${path}.${name}`));
    }
    return { errors, known: namesOf(properties) };
  }

  return { validate: (value, place) => check(value, place, "$"), resolve };
}

/** The matching alternative that defines most members, or the one with the fewest findings. */
function best(alternatives: readonly Findings[]): Findings {
  const rank = ({ errors, known }: Findings): number =>
    errors.length > 0 ? -errors.length : (known?.size ?? 0);
  return alternatives.reduce((a, b) => (rank(b) > rank(a) ? b : a));
}

function join(parts: readonly Findings[]): Findings {
  const [first, ...others] = parts.filter(
    ({ errors, known }) => errors.length > 0 || known !== undefined,
  );
  if (first === undefined) return { errors: [], known: undefined };
  return others.reduce(
    (all, part) => ({
      errors: part.errors.length === 0 ? all.errors : [...all.errors, ...part.errors],
      known: union(all.known, part.known),
    }),
    first,
  );
}

function union(a: Findings["known"], b: Findings["known"]): Findings["known"] {
  if (a === undefined || b === undefined) return a ?? b;
  return a.union(b);
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    default:
      return typeof value === type;
  }
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * JSON Schema (draft 7) keywords used to describe values. A nested schema may be a {@link NamedSchema}, which
 * documents show once.
 */
export interface SchemaKeywords {
  readonly description?: string;
  readonly type?: "string" | "integer" | "boolean" | "array" | "object" | "null";
  readonly const?: string | number | boolean | null;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly items?: Schema | readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | false;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

/** Schema that documents show under its name; `schema` may refer to itself. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: () => SchemaKeywords;
}

/** Schema of a JSON value. */
export type Schema = SchemaKeywords | NamedSchema;

/** Whether a schema has a name. */
export function isNamed(schema: Schema): schema is NamedSchema {
  return "schema" in schema;
}

/**
 * Names a schema; names consist of letters, digits and underscores.
 *
 * @param schema - a function if it refers to itself
 */
export function named(name: string, schema: SchemaKeywords | (() => SchemaKeywords)): NamedSchema {
  return { name, schema: typeof schema === "function" ? schema : () => schema };
}

/** Keywords of a schema, named or not; an empty object for `undefined`. */
export function keywordsOf(schema: Schema | undefined): SchemaKeywords {
  if (schema === undefined) return {};
  return isNamed(schema) ? schema.schema() : schema;
}

/**
 * Object with named members.
 *
 * @param isClosed - whether other members are forbidden
 */
export function objectSchema(
  required: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>>,
  isClosed: boolean,
): SchemaKeywords {
  const names = Object.keys(required);
  return {
    type: "object",
    properties: { ...required, ...optional },
    ...(names.length === 0 ? {} : { required: names }),
    ...(isClosed ? { additionalProperties: false as const } : {}),
  };
}

/** Maximum length of accepted hex text: 64 digits and the prefix. */
const MAX_HEX_LENGTH = 66;

const DIGIT = "[0-9a-fA-F]";

/** Hex digits of values from 2^251 up to the Stark prime, 2^251 + 17 * 2^192 + 1. */
const ABOVE_2_251 = `80{12}(?:0${DIGIT}{49}|10${DIGIT}{48}|110{48})`;

/**
 * JSON schema of a felt in requests: `0x` hex below the prime; leading zeros and upper case are
 * allowed.
 */
export const SENT_FELT: NamedSchema = named("SENT_FELT", {
  type: "string",
  pattern: `^0x0*(?:${DIGIT}{1,62}|[0-7]${DIGIT}{62}|${ABOVE_2_251})$`,
  maxLength: MAX_HEX_LENGTH,
  description: "field element as it may be sent: 0x hex below the Stark prime",
});

/**
 * Returns the JSON schema of a number below 2^bits in requests: `0x` hex; leading zeros and upper
 * case are allowed.
 */
export function sentHexSchema(bits: number): SchemaKeywords {
  const digits = Math.floor(bits / 4);
  const top = 2 ** (bits % 4) - 1;
  const below = `${DIGIT}{1,${digits}}`;
  const body = top === 0 ? below : `(?:${below}|[0-${top}]${DIGIT}{${digits}})`;
  return { type: "string", pattern: `^0x0*${body}$`, maxLength: MAX_HEX_LENGTH };
}

import { named, objectSchema, type Schema, type SchemaKeywords } from "#base/codec/index.ts";

/** Schemas of an object's members by wire name. */
export type Members = Readonly<Record<string, Schema>>;

/**
 * Creates the JSON schema of an object in a response: exactly these members.
 *
 * @param optional - members that are omitted if they do not apply
 */
export function record(required: Members, optional: Members = {}): SchemaKeywords {
  return objectSchema(required, optional, true);
}

/** Creates the JSON schema of an array of any length. */
export function list(items: Schema): SchemaKeywords {
  return { type: "array", items };
}

/** Creates a JSON schema that exactly one of these schemas matches. */
export function oneOf(...schemas: readonly Schema[]): SchemaKeywords {
  return { oneOf: schemas };
}

/** Creates the JSON schema of one of these strings. */
export function texts(...values: readonly string[]): SchemaKeywords {
  return { type: "string", enum: values };
}

/** Creates the JSON schema of a value or `null`. */
export function orNull(schema: Schema): SchemaKeywords {
  return { anyOf: [schema, { type: "null" }] };
}

/** Returns the members without some of them. */
export function without(members: Members, ...names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}

/** Hex text without leading zeros, as in responses. */
function hex(mostDigits: number): SchemaKeywords {
  return { type: "string", pattern: `^0x(?:0|[1-9a-f][0-9a-f]{0,${mostDigits - 1}})$` };
}

/** JSON schema of FELT: a field element. */
export const FELT: Schema = named("FELT", { ...hex(63), description: "field element" });

/** JSON schema of a list of {@link FELT}. */
export const FELTS: SchemaKeywords = list(FELT);

/** JSON schema of U64: a number of 64 bits. */
export const U64: Schema = named("U64", { ...hex(16), description: "number below 2^64" });

/** JSON schema of U128: a number of 128 bits. */
export const U128: Schema = named("U128", { ...hex(32), description: "number below 2^128" });

/** JSON schema of NUM_AS_HEX: a number of at most 256 bits. */
export const NUMBER_HEX: Schema = named("NUM_AS_HEX", {
  type: "string",
  pattern: "^0x[0-9a-f]{1,64}$",
});

/** JSON schema of a count, a block number, or seconds: an integer of at least 0. */
export const COUNT: SchemaKeywords = { type: "integer", minimum: 0 };

/** JSON schema of any string. */
export const TEXT: SchemaKeywords = { type: "string" };

/** JSON schema of PRICE_UNIT: WEI for the ether token, FRI for the native one. */
export const UNIT: SchemaKeywords = texts("WEI", "FRI");

/**
 * Creates the JSON schema of an object for each outcome of an execution: succeeded, or reverted
 * with a reason.
 *
 * @param reasonName - name of the member with the reason
 */
export function byOutcome(members: Members, reasonName: string): SchemaKeywords {
  return oneOf(
    record({ ...members, execution_status: { const: "SUCCEEDED" } }),
    record({ ...members, execution_status: { const: "REVERTED" }, [reasonName]: TEXT }),
  );
}

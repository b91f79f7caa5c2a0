import { named, objectSchema, type Schema, type SchemaKeywords } from "#base/codec/index.ts";

/** Schemas of an object's members by wire name. */
export type Members = Readonly<Record<string, Schema>>;

/**
 * Schema of an object in a response: exactly these members.
 *
 * @param optional - members that are omitted if they do not apply
 */
export function record(required: Members, optional: Members = {}): SchemaKeywords {
  return objectSchema(required, optional, true);
}

/** An array of any length. */
export function list(items: Schema): SchemaKeywords {
  return { type: "array", items };
}

/** Exactly one of these schemas: no value matches two of them. */
export function oneOf(...schemas: readonly Schema[]): SchemaKeywords {
  return { oneOf: schemas };
}

/** One of these strings. */
export function texts(...values: readonly string[]): SchemaKeywords {
  return { type: "string", enum: values };
}

/** A value, or null. */
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

/** FELT: a field element. */
export const FELT: Schema = named("FELT", { ...hex(63), description: "field element" });

/** A list of {@link FELT}. */
export const FELTS: SchemaKeywords = list(FELT);

/** U64: a number of 64 bits. */
export const U64: Schema = named("U64", { ...hex(16), description: "number below 2^64" });

/** U128: a number of 128 bits. */
export const U128: Schema = named("U128", { ...hex(32), description: "number below 2^128" });

/** NUM_AS_HEX: a number of at most 256 bits. */
export const NUMBER_HEX: Schema = named("NUM_AS_HEX", {
  type: "string",
  pattern: "^0x[0-9a-f]{1,64}$",
});

/** A count, a block number, or seconds. */
export const COUNT: SchemaKeywords = { type: "integer", minimum: 0 };

/** Any string. */
export const TEXT: SchemaKeywords = { type: "string" };

/** PRICE_UNIT: WEI for the ether token, FRI for the native one. */
export const UNIT: SchemaKeywords = texts("WEI", "FRI");

/**
 * Outcome of an execution, with the reason if it was reverted.
 *
 * @param reasonName - name of the member with the reason
 */
export function byOutcome(members: Members, reasonName: string): SchemaKeywords {
  return oneOf(
    record({ ...members, execution_status: { const: "SUCCEEDED" } }),
    record({ ...members, execution_status: { const: "REVERTED" }, [reasonName]: TEXT }),
  );
}

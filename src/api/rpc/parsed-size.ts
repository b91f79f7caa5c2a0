import type { JsonValue } from "#base/codec/index.ts";
import type { BoundMethod } from "./bound-method.ts";

/** An object without members, about; an array takes less. */
const OBJECT_BYTES = 64;

/** A value in an array, or a member with its value; the names of members are kept once for many objects. */
const PLACE_BYTES = 16;

/**
 * About how many bytes a parsed value takes: many times those of its text where that is short objects and
 * lists.
 */
export function parsedBytes(value: JsonValue | undefined): number {
  if (typeof value === "string") return value.length + PLACE_BYTES;
  if (typeof value !== "object" || value === null) return PLACE_BYTES;
  let bytes = OBJECT_BYTES;
  if (Array.isArray(value)) {
    for (const element of value as readonly JsonValue[]) bytes += parsedBytes(element);
  } else {
    for (const member of Object.values(value)) bytes += PLACE_BYTES + parsedBytes(member);
  }
  return bytes;
}

/** A transaction that is being submitted takes about so many times its parameters. */
const SUBMISSION_COPIES = 8;

/** About how many bytes a local method takes until it ends; a class stays packed until it is compiled. */
export function submissionBytes<C>(
  { name, runsOn }: BoundMethod<C>,
  params: JsonValue | undefined,
): number {
  const isCounted = runsOn === "admission" && name !== "addDeclareTransaction";
  return isCounted ? SUBMISSION_COPIES * parsedBytes(params) : 0;
}

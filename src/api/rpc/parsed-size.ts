import type { JsonValue } from "#base/codec/index.ts";
import type { BoundMethod } from "./bound-method.ts";

/** Approximate size of an object without members; an array takes less. */
const OBJECT_BYTES = 64;

/** Size of an array slot, or of a member's slot; member names are shared between objects. */
const PLACE_BYTES = 16;

/** Estimates the memory of a parsed value: for short objects and lists many times the size of its text. */
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

/** Approximate memory of a submission in progress, as a multiple of its parameters. */
const SUBMISSION_COPIES = 8;

/**
 * Estimates the memory that a local method uses until it ends; declarations are not counted, as a class stays
 * compressed until it is compiled.
 */
export function submissionBytes<C>(
  { name, runsOn }: BoundMethod<C>,
  params: JsonValue | undefined,
): number {
  const isCounted = runsOn === "admission" && name !== "addDeclareTransaction";
  return isCounted ? SUBMISSION_COPIES * parsedBytes(params) : 0;
}

/** JSON value of a response, before its form is known. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** JSON object. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** Returns the value if it is an object; an empty one if not. */
export function objectOf(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

/** Returns the value if it is a list; an empty one if not. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** Returns the value if it is a text; an empty one if not. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Returns the value if it is a number; `null` if not. */
export function numberOf(value: Json | undefined): number | null {
  return typeof value === "number" ? value : null;
}

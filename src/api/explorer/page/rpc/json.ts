import { listIn, objectIn } from "../abi/read-entry.ts";

/** JSON value of a response, before its form is known. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** JSON object. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** {@link objectIn} for a value of a response. */
export const objectOf: (value: Json | undefined) => JsonObject = objectIn as () => JsonObject;

/** {@link listIn} for a value of a response. */
export const listOf: (value: Json | undefined) => readonly Json[] = listIn as () => readonly Json[];

/** Returns the value if it is a text; an empty one if not. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Returns the value if it is a number; `null` if not. */
export function numberOf(value: Json | undefined): number | null {
  return typeof value === "number" ? value : null;
}

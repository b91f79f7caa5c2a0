import { AbiError } from "./abi-error.ts";

/** Value of a form: a text or number for scalars, lists and objects for others. */
export type FormValue =
  string | number | boolean | null | readonly FormValue[] | { readonly [name: string]: FormValue };

/** Longest text that is read as JSON, in characters. */
const MAX_LENGTH = 1_000_000;

/** Texts in quotes, and numbers that JSON has no exact form for. */
const TOKENS = /"(?:[^"\\]|\\.)*"|'[^']*'|-?0x[0-9a-f]+|-?\d[\d_]*/gi;

/**
 * Reads JSON of a form. Numbers of any size are exact, and hex numbers and 'short strings' need no double quotes.
 *
 * @throws {AbiError} when the text is no such JSON
 */
export function formJson(text: string, place: string, example: string): FormValue {
  const problem = `expected JSON, such as ${example}`;
  if (text.length > MAX_LENGTH) throw new AbiError(place, `more than ${MAX_LENGTH} characters`);
  try {
    return JSON.parse(
      text.replace(TOKENS, (token) => (token.startsWith('"') ? token : JSON.stringify(token))),
    ) as FormValue;
  } catch {
    throw new AbiError(place, problem);
  }
}

import type { Abi } from "./model.ts";
import type { Decoded, DecodedList } from "./decoded.ts";
import { Decoder } from "./decoder.ts";
import type { Field } from "./read-entry.ts";

export type { Decoded, DecodedList } from "./decoded.ts";

/** Maximum number of values of one list of felts, unless the caller sets another one. */
export const MAX_VALUES = 20_000;

/**
 * Decodes the felts of parameters, in time linear in the felts. Never throws: a felt outside the range of its type is
 * marked, and felts that do not fit the types are returned as `rest`.
 *
 * @param felts - in hex
 * @param maxValues - values after which decoding stops; a value inside a value counts
 */
export function decodeFelts(
  abi: Abi,
  fields: readonly Field[],
  felts: readonly string[],
  maxValues: number = MAX_VALUES,
): DecodedList {
  const decoder = new Decoder(abi, felts, maxValues);
  const values: Decoded[] = [];
  for (const field of fields) {
    if (decoder.failure !== null) break;
    values.push(decoder.field(field));
  }
  const rest = felts.slice(decoder.position);
  const tooMany = `${rest.length} ${rest.length === 1 ? "felt is" : "felts are"} left after the last value`;
  const problem = decoder.failure ?? decoder.firstProblem ?? (rest.length === 0 ? null : tooMany);
  return { values, rest, problem };
}

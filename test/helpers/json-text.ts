import { JsonPieces, type JsonValue, stringifyJson } from "#base/codec/index.ts";

/** Encoded response as text, whether it is complete or in pieces. */
export function jsonTextOf(answer: JsonValue | JsonPieces): string {
  return answer instanceof JsonPieces ? [...answer.pieces()].join("") : stringifyJson(answer);
}

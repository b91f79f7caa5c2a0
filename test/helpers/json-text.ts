import { JsonPieces, type JsonValue, stringifyJson } from "#base/codec/index.ts";

/** An encoder's answer as text, whether it is made at once or piece by piece. */
export function jsonTextOf(answer: JsonValue | JsonPieces): string {
  return answer instanceof JsonPieces ? [...answer.pieces()].join("") : stringifyJson(answer);
}

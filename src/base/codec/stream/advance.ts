import { BYTES } from "./json-bytes.ts";
import { ENDED, type JsonLexer, MORE } from "./json-lexer.ts";
import type { JsonPlace } from "./json-place.ts";

const CLOSING = { array: BYTES.closeArray, object: BYTES.closeObject } as const;

/**
 * Moves to the next element or member of the innermost array or object, or leaves it after the last one.
 * When more bytes have to arrive it can be called again: `place` records the progress.
 *
 * @returns whether there is another one; `undefined` if more bytes have to arrive
 * @throws {DecodeError} when neither a value nor the end follows
 */
export function advance(
  kind: "array" | "object",
  lexer: JsonLexer,
  place: JsonPlace,
): boolean | undefined {
  const { level } = place;
  for (;;) {
    const byte = lexer.peek();
    if (byte === MORE) return undefined;
    if (byte === ENDED) throw lexer.cutOff();
    if (level === undefined) throw lexer.malformed("a value");
    const mayEnd = !level.isAfterComma;
    if (byte === CLOSING[kind] && mayEnd) {
      lexer.take();
      place.close();
      return false;
    }
    if (level.count > 0 && mayEnd) {
      if (byte !== BYTES.comma) throw lexer.malformed(`a comma or the end of the ${kind}`);
      lexer.take();
      level.isAfterComma = true;
      continue;
    }
    if (kind === "object" && byte !== BYTES.quote) throw lexer.malformed("the name of a member");
    level.count++;
    level.isAfterComma = false;
    return true;
  }
}

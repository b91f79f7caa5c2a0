import { gunzipSync } from "node:zlib";
import {
  array,
  convert,
  type Decoder,
  isJsonObject,
  json,
  object,
  parseJson,
  stringifyJson,
} from "#base/codec/index.ts";
import type { LegacyClass } from "./class.ts";

/** Deepest nesting of a program; compilers write less than a dozen levels. */
const MAX_DEPTH = 128;

/**
 * DEPRECATED_CONTRACT_CLASS: the text that a compiler wrote, put together again. The class hash depends
 * on the order of members of the program, which is a text of its own, and of the ABI: a program that is
 * parsed and written again would lose numbers.
 *
 * @param base64 - of the packed program
 * @param maxProgramBytes - of a program that is unpacked
 */
export function packedLegacyClass(
  base64: Decoder<string>,
  maxProgramBytes: number,
): Decoder<LegacyClass> {
  const program = convert(
    base64,
    `a program as base64 of gzip of its JSON text, at most ${maxProgramBytes} bytes of it`,
    (packed) => unpacked(packed, maxProgramBytes),
  );
  const members = object(
    {
      program,
      entry_points_by_type: object({
        CONSTRUCTOR: array(json),
        EXTERNAL: array(json),
        L1_HANDLER: array(json),
      }),
    },
    { abi: json },
  );
  return {
    describe: "Cairo 0 class",
    ...(members.schema === undefined ? {} : { schema: members.schema }),
    decode(value, path) {
      const read = members.decode(value, path);
      const entryPoints = stringifyJson(read.entry_points_by_type);
      const abi = read.abi === undefined ? "" : `"abi":${stringifyJson(read.abi)},`;
      const text = `{${abi}"entry_points_by_type":${entryPoints},"program":${read.program}}`;
      return { kind: "legacy", json: text };
    },
  };
}

/** The text of a program; `undefined` when it is not packed so, too long, or no JSON object. */
function unpacked(base64: string, maxOutputLength: number): string | undefined {
  try {
    const bytes = gunzipSync(Buffer.from(base64, "base64"), { maxOutputLength });
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // It becomes a part of a larger text: what is not whole would change the rest.
    return isJsonObject(parseJson(text, { maxDepth: MAX_DEPTH })) ? text : undefined;
  } catch {
    // What it was packed with, and what is in it, is said by the description.
    return undefined;
  }
}

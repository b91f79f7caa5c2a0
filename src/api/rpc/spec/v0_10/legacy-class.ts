import { gunzipSync } from "node:zlib";
import {
  array,
  convert,
  type Decoder,
  isJsonObject,
  json,
  keywordsOf,
  named,
  object,
  parseJson,
  stringifyJson,
  textOf,
} from "#base/codec/index.ts";
import type { LegacyClass } from "#protocol/chain/index.ts";

/** Most characters of a program as base64; Starknet's limit of a class object. */
const MAX_BASE64_LENGTH = 4_089_446;

/** Most bytes of a program that is unpacked: several times that of any class of the networks. */
const MAX_PROGRAM_BYTES = 20 << 20;

/** Deepest nesting of a program; compilers write less than a dozen levels. */
const MAX_DEPTH = 128;

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const program: Decoder<string> = convert(
  textOf({
    pattern: BASE64,
    maxLength: MAX_BASE64_LENGTH,
    describe: `base64 text of at most ${MAX_BASE64_LENGTH} characters`,
  }),
  `a program as base64 of gzip of its JSON text, at most ${MAX_PROGRAM_BYTES} bytes of it`,
  unpacked,
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

/**
 * DEPRECATED_CONTRACT_CLASS: the text that a compiler wrote, put together again. The class hash depends
 * on the order of members of the program, which is a text of its own, and of the ABI.
 */
export const legacyClass: Decoder<LegacyClass> = {
  describe: "Cairo 0 class",
  schema: named("SENT_DEPRECATED_CONTRACT_CLASS", () => keywordsOf(members.schema)),
  decode(value, path) {
    const read = members.decode(value, path);
    const entryPoints = stringifyJson(read.entry_points_by_type);
    const abi = read.abi === undefined ? "" : `"abi":${stringifyJson(read.abi)},`;
    const text = `{${abi}"entry_points_by_type":${entryPoints},"program":${read.program}}`;
    return { kind: "legacy", json: text };
  },
};

/** The text of a program; `undefined` when it is not packed so, too long, or no JSON object. */
function unpacked(base64: string): string | undefined {
  try {
    const bytes = gunzipSync(Buffer.from(base64, "base64"), {
      maxOutputLength: MAX_PROGRAM_BYTES,
    });
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // It becomes a part of a larger text: what is not whole would change the rest.
    return isJsonObject(parseJson(text, { maxDepth: MAX_DEPTH })) ? text : undefined;
  } catch {
    return undefined;
  }
}

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
  text,
} from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { type ContractClass, sierraClassCodec } from "#protocol/chain/index.ts";

/** Most bytes of a program that is unpacked: several times that of any class of the networks. */
const MAX_PROGRAM_BYTES = 64 << 20;

const MAX_DEPTH = 128;

const program: Decoder<string> = convert(
  text,
  `a program as base64 of gzip of its JSON text, at most ${MAX_PROGRAM_BYTES} bytes of it`,
  unpacked,
);

const legacyMembers = object(
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

/** CONTRACT_CLASS or DEPRECATED_CONTRACT_CLASS. */
export const toldClass: Decoder<ContractClass> = {
  describe: "class",
  decode(value, path) {
    if (isJsonObject(value) && Object.hasOwn(value, "sierra_program")) {
      return sierraClassCodec.decode(value, path);
    }
    const read = legacyMembers.decode(value, path);
    // The class hash covers the program's own text, of which a parsed one would lose the numbers.
    const abi = read.abi === undefined ? "" : `"abi":${stringifyJson(read.abi)},`;
    const entryPoints = stringifyJson(read.entry_points_by_type);
    return {
      kind: "legacy",
      json: `{${abi}"entry_points_by_type":${entryPoints},"program":${read.program}}`,
    };
  },
};

function unpacked(base64: string): string | undefined {
  let bytes: Uint8Array;
  try {
    bytes = gunzipSync(Buffer.from(base64, "base64"), { maxOutputLength: MAX_PROGRAM_BYTES });
  } catch {
    return undefined;
  }
  const program = Buffer.from(bytes).toString("utf8");
  try {
    // It becomes a part of a larger text: what is not whole would change the rest.
    return isJsonObject(parseJson(program, { maxDepth: MAX_DEPTH })) ? program : undefined;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

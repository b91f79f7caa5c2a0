import { promisify } from "node:util";
import { gunzipSync, gzip } from "node:zlib";
import {
  array,
  convert,
  type Decoder,
  isJsonObject,
  json,
  type JsonObject,
  object,
  parseJson,
  stringifyJson,
} from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import type { LegacyClass, PackedLegacyClass } from "./class.ts";
import type { ParsedLegacyClass } from "./parsed-legacy-class.ts";

/** Maximum nesting of a program; compilers write less than a dozen levels. */
const MAX_DEPTH = 128;

const PACKED = "a program as base64 of gzip of its JSON text";

const compressed = promisify(gzip);

/**
 * DEPRECATED_CONTRACT_CLASS with its program still packed; see {@link unpackLegacyClass}.
 *
 * @param base64 - decoder of the packed program
 */
export function packedLegacyClass(base64: Decoder<string>): Decoder<PackedLegacyClass> {
  const program = convert(base64, PACKED, (packed) => packed);
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
      return {
        kind: "packed",
        program: read.program,
        entryPoints: stringifyJson(read.entry_points_by_type),
        abi: read.abi === undefined ? "" : stringifyJson(read.abi),
      };
    },
  };
}

/**
 * Restores the text that a compiler wrote: `{abi, entry_points_by_type, program}`, without spaces except in
 * the program.
 *
 * The class hash depends on the order of members of the program and of the ABI, and parsing and rewriting a
 * program would lose numbers.
 *
 * @param maxBytes - limit of the whole text, packed or not; nothing beyond is unpacked
 * @returns `undefined` when the text is longer
 * @throws {DecodeError} when the program is not packed in this form, or not a JSON object
 */
export function unpackLegacyClass(
  { program, entryPoints, abi }: PackedLegacyClass,
  maxBytes: number,
): ParsedLegacyClass | undefined {
  const begin = beforeProgram(entryPoints, abi);
  const room = maxBytes - Buffer.byteLength(begin) - "}".length;
  const isLong = program.length > maxBytes || room < 1;
  const unpacked = isLong ? undefined : unpackedProgram(program, room);
  if (unpacked === undefined) return undefined;
  const contractClass: LegacyClass = { kind: "legacy", json: `${begin}${unpacked.text}}` };
  const value: JsonObject = {
    ...(abi === "" ? {} : { abi: parseJson(abi) }),
    entry_points_by_type: parseJson(entryPoints),
    program: unpacked.value,
  };
  return { contractClass, value };
}

/**
 * Inverse of {@link unpackLegacyClass}; keeps the program's text unchanged. Compression runs off this thread.
 *
 * @throws {DecodeError} when the text does not have the form of {@link unpackLegacyClass}
 */
export async function packLegacyClass({ json: text }: LegacyClass): Promise<PackedLegacyClass> {
  const value = parseJson(text, { maxDepth: MAX_DEPTH + 1 });
  const members = isJsonObject(value) ? value : {};
  const entryPoints = stringifyJson(members["entry_points_by_type"] ?? null);
  const abi = members["abi"] === undefined ? "" : stringifyJson(members["abi"]);
  const begin = beforeProgram(entryPoints, abi);
  if (!text.startsWith(begin) || !text.endsWith("}")) {
    throw new DecodeError("class", "a Cairo 0 class in the form of a declaration");
  }
  const program = await compressed(text.slice(begin.length, -"}".length));
  return { kind: "packed", program: program.toString("base64"), entryPoints, abi };
}

function beforeProgram(entryPoints: string, abi: string): string {
  return `{${abi === "" ? "" : `"abi":${abi},`}"entry_points_by_type":${entryPoints},"program":`;
}

/** @returns `undefined` when the text is too long */
function unpackedProgram(
  base64: string,
  maxOutputLength: number,
): { readonly text: string; readonly value: JsonObject } | undefined {
  try {
    const bytes = gunzipSync(Buffer.from(base64, "base64"), { maxOutputLength });
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // The text is embedded in a larger one, which incomplete JSON would corrupt.
    const value = parseJson(text, { maxDepth: MAX_DEPTH });
    if (isJsonObject(value)) return { text, value: value as JsonObject };
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "ERR_BUFFER_TOO_LARGE") return undefined;
    throw new DecodeError("program", PACKED, { cause: error });
  }
  throw new DecodeError("program", PACKED);
}

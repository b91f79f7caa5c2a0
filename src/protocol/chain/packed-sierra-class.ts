import { gunzipSync } from "node:zlib";
import { array, convert, type Decoder, felt, object, parseJson } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import type { PackedSierraClass, SierraClass } from "./class.ts";
import { SIERRA_MEMBERS, sierraAbi } from "./sierra-class.ts";

const PACKED = "a Sierra program as base64 of gzip of its JSON text";

/** Maximum nesting of the program, which is a flat list. */
const MAX_DEPTH = 1;

const program = array(felt);

/**
 * Sierra class as gateways accept it, with its program still packed; see {@link unpackSierraClass}.
 *
 * @param base64 - decoder of the packed program
 */
export function packedSierraClass(base64: Decoder<string>): Decoder<PackedSierraClass> {
  const members = object(
    { sierra_program: convert(base64, PACKED, (packed) => packed), ...SIERRA_MEMBERS },
    { abi: sierraAbi },
  );
  return {
    describe: "Sierra class",
    decode(value, path) {
      const read = members.decode(value, path);
      return {
        kind: "packed-sierra",
        program: read.sierra_program,
        contractClassVersion: read.contract_class_version,
        entryPoints: read.entry_points_by_type,
        abi: read.abi ?? "",
      };
    },
  };
}

/**
 * Unpacks the program of a class.
 *
 * @param maxBytes - limit of the program's text, packed or not; nothing beyond is unpacked
 * @returns `undefined` when the text is longer
 * @throws {DecodeError} when the program is not packed in this form, or not a list of felts
 */
export function unpackSierraClass(
  { program: packed, contractClassVersion, entryPoints, abi }: PackedSierraClass,
  maxBytes: number,
): SierraClass | undefined {
  const text = packed.length > maxBytes ? undefined : unpacked(packed, maxBytes);
  if (text === undefined) return undefined;
  const sierraProgram = program.decode(parseJson(text, { maxDepth: MAX_DEPTH }), "sierra_program");
  return { kind: "sierra", sierraProgram, contractClassVersion, entryPoints, abi };
}

/** @returns `undefined` when the text is too long */
function unpacked(base64: string, maxOutputLength: number): string | undefined {
  try {
    const bytes = gunzipSync(Buffer.from(base64, "base64"), { maxOutputLength });
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "ERR_BUFFER_TOO_LARGE") return undefined;
    throw new DecodeError("sierra_program", PACKED, { cause: error });
  }
}

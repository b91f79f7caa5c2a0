import {
  array,
  type Codec,
  elementPath,
  felt,
  integer,
  json,
  type JsonValue,
  literal,
  mismatch,
  nullable,
  object,
  parseJson,
  textOf,
  tuple,
} from "#base/codec/index.ts";
import { FIELD_PRIME, hexFromFelt } from "#base/primitives/index.ts";
import { type BytecodeSegmentLengths, type CasmClass, type CasmEntryPoint } from "./class.ts";
import { BUILTIN_NAMES } from "#protocol/versions/index.ts";

/** Program counters have 32 bits in the machine. */
const MAX_BYTECODE_LENGTH = 2 ** 31;

const segmentLengths: Codec<BytecodeSegmentLengths> = {
  describe: "segment length or array of segment lengths",
  decode(value, path) {
    if (Array.isArray(value)) {
      return value.map((element, i) => segmentLengths.decode(element, elementPath(path, i)));
    }
    if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
    return mismatch(path, segmentLengths.describe, value);
  },
  encode: (value) =>
    typeof value === "number" ? value : value.map((child) => segmentLengths.encode(child)),
};

const casmEntryPoint: Codec<CasmEntryPoint> = object({
  selector: felt,
  offset: integer(0, MAX_BYTECODE_LENGTH),
  builtins: array(literal(...BUILTIN_NAMES)),
});

const members = object(
  {
    prime: literal(hexFromFelt(FIELD_PRIME)),
    compiler_version: textOf({ maxLength: 64 }),
    bytecode: array(felt, { maxLength: MAX_BYTECODE_LENGTH }),
    hints: array(tuple(integer(0, MAX_BYTECODE_LENGTH), array(json))),
    entry_points_by_type: object({
      EXTERNAL: array(casmEntryPoint),
      L1_HANDLER: array(casmEntryPoint),
      CONSTRUCTOR: array(casmEntryPoint),
    }),
  },
  { bytecode_segment_lengths: nullable(segmentLengths) },
);

/**
 * Compiled code in the JSON form of the Sierra compiler (`compiled_contract_class.json`), which the JSON-RPC
 * specification shares (`CASM_COMPILED_CONTRACT_CLASS`). Offsets (entry points, hints, segments) are checked
 * against the bytecode; hints themselves pass through unchanged.
 */
export const casmClassCodec: Codec<CasmClass> = {
  describe: "compiled class",
  decode(value, path) {
    const read = members.decode(value, path);
    const length = read.bytecode.length;
    const at = (name: string): string => (path === "" ? name : `${path}.${name}`);

    const segments = read.bytecode_segment_lengths ?? null;
    if (segments !== null && totalLength(segments) !== length) {
      mismatch(at("bytecode_segment_lengths"), `lengths that add up to ${length}`, segments);
    }
    const hints = new Map<number, readonly JsonValue[]>();
    read.hints.forEach(([pc, list], i) => {
      if (pc >= length || hints.has(pc)) {
        const place = `${elementPath(at("hints"), i)}[0]`;
        mismatch(place, `a program counter below ${length} that occurs once`, pc);
      }
      hints.set(pc, list);
    });
    for (const [type, list] of Object.entries(read.entry_points_by_type)) {
      list.forEach((entryPoint, i) => {
        if (entryPoint.offset < length) return;
        const place = `${elementPath(`${at("entry_points_by_type")}.${type}`, i)}.offset`;
        mismatch(place, `an offset below ${length}`, entryPoint.offset);
      });
    }
    return {
      prime: FIELD_PRIME,
      compilerVersion: read.compiler_version,
      bytecode: read.bytecode,
      bytecodeSegmentLengths: segments,
      hints,
      entryPoints: read.entry_points_by_type,
    };
  },
  encode: (value) =>
    members.encode({
      prime: hexFromFelt(FIELD_PRIME),
      compiler_version: value.compilerVersion,
      bytecode: value.bytecode,
      ...(value.bytecodeSegmentLengths === null
        ? {}
        : { bytecode_segment_lengths: value.bytecodeSegmentLengths }),
      hints: [...value.hints].map(([pc, list]) => [pc, list as readonly JsonValue[]] as const),
      entry_points_by_type: value.entryPoints,
    }),
};

/**
 * Parses compiled code.
 *
 * @throws {DecodeError} naming the first wrong place
 */
export function casmClassFromJson(text: string): CasmClass {
  return casmClassCodec.decode(parseJson(text), "");
}

function totalLength(lengths: BytecodeSegmentLengths): number {
  if (typeof lengths === "number") return lengths;
  return lengths.reduce<number>((sum, child) => sum + totalLength(child), 0);
}

import {
  array,
  convert,
  type Decoded,
  type Decoder,
  felt,
  integer,
  json,
  literal,
  mapOf,
  nullable,
  object,
  text,
  textOf,
  union,
} from "#base/codec/index.ts";
import { FIELD_PRIME, hexFromFelt } from "#base/primitives/index.ts";
import { BUILTIN_NAMES } from "#protocol/versions/index.ts";
import type { ApTracking, LegacyEntryPoint } from "./class.ts";

/** Program counters have 32 bits in the machine. */
const MAX_BYTECODE_LENGTH = 2 ** 31;

const programCounter = integer(0, MAX_BYTECODE_LENGTH);

/** Offset: a number, hex text, or decimal text (compilers around 0.11). */
const offset: Decoder<number> = union("program counter as number or text", [
  programCounter,
  convert(text, "program counter as text", (value) => {
    if (!/^(0x[0-9a-fA-F]{1,8}|\d{1,10})$/u.test(value)) return undefined;
    const read = Number(value);
    return read <= MAX_BYTECODE_LENGTH ? read : undefined;
  }),
]);

const entryPoint: Decoder<LegacyEntryPoint> = object({ selector: felt, offset });

const apTracking: Decoder<ApTracking> = object({
  group: integer(),
  offset: integer(Number.MIN_SAFE_INTEGER),
});

const flowTracking = object({ ap_tracking: apTracking, reference_ids: mapOf(integer()) });

const hint = object({ code: text }, { flow_tracking_data: nullable(flowTracking) });

const attribute = object(
  { name: text },
  {
    value: json,
    start_pc: programCounter,
    end_pc: programCounter,
    flow_tracking_data: nullable(flowTracking),
  },
);

const program = object(
  {
    prime: literal(hexFromFelt(FIELD_PRIME)),
    data: array(felt, { maxLength: MAX_BYTECODE_LENGTH }),
    builtins: array(literal(...BUILTIN_NAMES)),
    hints: mapOf(array(hint)),
    identifiers: mapOf(object({}, { type: json, value: json })),
    reference_manager: object({
      references: array(object({ value: text, ap_tracking_data: apTracking })),
    }),
  },
  { attributes: nullable(array(attribute)) },
);

/**
 * Decoder of the executable parts of a Cairo 0 class in the JSON form of the Cairo compiler (`{abi,
 * entry_points_by_type, program}`).
 */
export const legacyClassFile = object(
  {
    program,
    entry_points_by_type: object({
      CONSTRUCTOR: array(entryPoint),
      EXTERNAL: array(entryPoint),
      L1_HANDLER: array(entryPoint),
    }),
  },
  { abi: json },
);

/** Name that fits a short string. */
const shortString = textOf({ pattern: /^[\x20-\x7e]{1,31}$/u, describe: "short string" });

/**
 * Decoder of the bytecode, builtins and entry points of a Cairo 0 class, which its hash covers
 * besides the JSON of the program. It accepts classes of public networks that have these parts
 * although no machine can run them.
 */
export const hashedClassFile = object({
  program: object({
    data: array(felt, { maxLength: MAX_BYTECODE_LENGTH }),
    builtins: array(shortString),
  }),
  entry_points_by_type: object({
    CONSTRUCTOR: array(entryPoint),
    EXTERNAL: array(entryPoint),
    L1_HANDLER: array(entryPoint),
  }),
});

/** Decoded member `program` of a {@link legacyClassFile}. */
export type LegacyProgramFile = Decoded<typeof program>;

import {
  array,
  convert,
  type Decoder,
  felt,
  integer,
  json,
  type JsonValue,
  literal,
  mapOf,
  nullable,
  object,
  parseJson,
  text,
  union,
} from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { type Felt, FIELD_PRIME, hexFromFelt } from "#base/primitives/index.ts";
import {
  type ApTracking,
  type EntryPointType,
  type LegacyEntryPoint,
  type LegacyErrorMessage,
  type LegacyExecutable,
  type LegacyHint,
  type LegacyProgram,
} from "./class.ts";
import { BUILTIN_NAMES } from "#protocol/versions/index.ts";
import { legacyReference } from "./legacy-reference.ts";

/** Program counters fit 32 bits in the machine. */
const MAX_BYTECODE_LENGTH = 2 ** 31;

const programCounter = integer(0, MAX_BYTECODE_LENGTH);

/** Offsets are numbers, hex texts, or decimal texts (compilers around 0.11). */
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

const legacyClass = object(
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

const NO_TRACKING: ApTracking = { group: 0, offset: 0 };

/**
 * Reads what execution needs of a Cairo 0 class, in the JSON form of the Cairo compiler
 * (`{abi, entry_points_by_type, program}`).
 *
 * @param classHash - hash of the class; not checked
 * @throws {DecodeError} naming the first wrong place
 */
export function legacyExecutableFromJson(source: string, classHash: Felt): LegacyExecutable {
  const read = legacyClass.decode(parseJson(source), "");
  const length = read.program.data.length;
  for (const [type, list] of Object.entries(read.entry_points_by_type)) {
    for (const [index, { offset: at }] of list.entries()) {
      if (at >= length) {
        throw new DecodeError(
          `entry_points_by_type.${type}[${index}].offset`,
          `an offset below ${length}`,
        );
      }
    }
  }
  return {
    classHash,
    casm: null,
    program: programOf(read.program, read.entry_points_by_type),
    abiLength: compactJsonLength(read.abi ?? null),
  };
}

type ReadProgram = ReturnType<typeof program.decode>;

function programOf(
  read: ReadProgram,
  entryPoints: Readonly<Record<EntryPointType, readonly LegacyEntryPoint[]>>,
): LegacyProgram {
  const { references } = read.reference_manager;
  return {
    bytecode: read.data,
    builtins: read.builtins,
    hints: hintsOf(read),
    constants: constantsOf(read),
    references: references.map((each) => legacyReference(each.value, each.ap_tracking_data)),
    errorMessages: errorMessagesOf(read),
    entryPoints,
  };
}

function hintsOf(read: ReadProgram): ReadonlyMap<number, readonly LegacyHint[]> {
  const count = read.reference_manager.references.length;
  const hints = new Map<number, readonly LegacyHint[]>();
  for (const [key, list] of read.hints) {
    const path = `program.hints.${key}`;
    const pc = /^\d{1,10}$/u.test(key) ? Number(key) : -1;
    if (pc < 0 || pc >= read.data.length || hints.has(pc)) {
      throw new DecodeError(path, `a program counter below ${read.data.length} that stands once`);
    }
    hints.set(
      pc,
      list.map(({ code, flow_tracking_data: flow }, index) => ({
        code,
        apTracking: flow?.ap_tracking ?? NO_TRACKING,
        variables: variablesOf(flow?.reference_ids, count, `${path}[${index}]`),
      })),
    );
  }
  return hints;
}

/** References by the last part of the variable's full name. */
function variablesOf(
  ids: ReadonlyMap<string, number> | undefined,
  count: number,
  path: string,
): ReadonlyMap<string, number> {
  const variables = new Map<string, number>();
  for (const [name, index] of ids ?? []) {
    if (index >= count) {
      const place = `${path}.flow_tracking_data.reference_ids.${name}`;
      throw new DecodeError(place, `the number of a reference, below ${count}`);
    }
    variables.set(name.slice(name.lastIndexOf(".") + 1), index);
  }
  return variables;
}

function constantsOf(read: ReadProgram): ReadonlyMap<string, Felt> {
  const constants = new Map<string, Felt>();
  for (const [name, { type, value }] of read.identifiers) {
    if (type !== "const") continue;
    if (typeof value !== "bigint" && !Number.isSafeInteger(value)) {
      throw new DecodeError(`program.identifiers.${name}.value`, "integer");
    }
    const remainder = BigInt(value as number | bigint) % FIELD_PRIME;
    constants.set(name, remainder < 0n ? remainder + FIELD_PRIME : remainder);
  }
  return constants;
}

function errorMessagesOf(read: ReadProgram): readonly LegacyErrorMessage[] {
  const count = read.reference_manager.references.length;
  const messages: LegacyErrorMessage[] = [];
  for (const [index, each] of (read.attributes ?? []).entries()) {
    if (each.name !== "error_message") continue;
    const path = `program.attributes[${index}]`;
    if (typeof each.value !== "string") throw new DecodeError(`${path}.value`, "text");
    const flow = each.flow_tracking_data;
    messages.push({
      startPc: each.start_pc ?? 0,
      endPc: each.end_pc ?? 0,
      text: each.value,
      apTracking: flow?.ap_tracking ?? null,
      variables: variablesOf(flow?.reference_ids, count, path),
    });
  }
  return messages;
}

/** Length in UTF-8 of a value as JSON without spaces: what a declaration pays for an ABI. */
function compactJsonLength(value: JsonValue): number {
  return Buffer.byteLength(
    JSON.stringify(value, (_, member: unknown) =>
      typeof member === "bigint" ? Number(member) : member,
    ),
  );
}

import type { JsonValue } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { type Felt, FIELD_PRIME } from "#base/primitives/index.ts";
import type {
  ApTracking,
  EntryPointType,
  LegacyEntryPoint,
  LegacyErrorMessage,
  LegacyExecutable,
  LegacyHint,
  LegacyProgram,
} from "./class.ts";
import { legacyClassFile, type LegacyProgramFile } from "./legacy-class-file.ts";
import { legacyReference } from "./legacy-reference.ts";
import { type ParsedLegacyClass, parseLegacyClass } from "./parsed-legacy-class.ts";

const NO_TRACKING: ApTracking = { group: 0, offset: 0 };

/**
 * Reads the executable form of a Cairo 0 class from the JSON form of the Cairo compiler (`{abi,
 * entry_points_by_type, program}`).
 *
 * @param classHash - hash of the class; not checked
 * @throws {DecodeError} naming the first wrong place
 */
export function legacyExecutableFromJson(source: string, classHash: Felt): LegacyExecutable {
  return legacyExecutableOf(parseLegacyClass({ kind: "legacy", json: source }), classHash);
}

/**
 * {@link legacyExecutableFromJson} of a parsed class.
 *
 * @throws {DecodeError} naming the first wrong place
 */
export function legacyExecutableOf(
  { value }: ParsedLegacyClass,
  classHash: Felt,
): LegacyExecutable {
  const read = legacyClassFile.decode(value, "");
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

function programOf(
  read: LegacyProgramFile,
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

function hintsOf(read: LegacyProgramFile): ReadonlyMap<number, readonly LegacyHint[]> {
  const count = read.reference_manager.references.length;
  const hints = new Map<number, readonly LegacyHint[]>();
  for (const [key, list] of read.hints) {
    const path = `program.hints.${key}`;
    const pc = /^\d{1,10}$/u.test(key) ? Number(key) : -1;
    if (pc < 0 || pc >= read.data.length || hints.has(pc)) {
      throw new DecodeError(path, `a program counter below ${read.data.length} that occurs once`);
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

/** Reference indices by the last part of the variable's full name. */
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

function constantsOf(read: LegacyProgramFile): ReadonlyMap<string, Felt> {
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

function errorMessagesOf(read: LegacyProgramFile): readonly LegacyErrorMessage[] {
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

/** UTF-8 length of a value as JSON without spaces, which a declaration pays for an ABI. */
function compactJsonLength(value: JsonValue): number {
  return Buffer.byteLength(
    JSON.stringify(value, (_, member: unknown) =>
      typeof member === "bigint" ? Number(member) : member,
    ),
  );
}

import { isJsonObject, type JsonObject, type JsonValue } from "#base/codec/index.ts";
import { pedersenArray, starknetKeccak } from "#protocol/crypto/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import type { LegacyClass, LegacyEntryPoint, LegacyExecutable, LegacyProgram } from "./class.ts";
import { hashedClassFile } from "./legacy-class-file.ts";
import { legacyExecutableOf } from "./legacy-class.ts";
import { type ParsedLegacyClass, parseLegacyClass } from "./parsed-legacy-class.ts";

/** Class API version, the first hashed value. */
const API_VERSION = 0n;

/**
 * Hash of a Cairo 0 class: Pedersen over entry points, builtins, the hash of ABI and program as JSON text,
 * and the bytecode.
 *
 * Source: Starknet docs, "Class hash"; vectors: classes of the reference engine's tests.
 *
 * @throws {DecodeError} when the JSON is not a Cairo 0 class
 */
export function legacyClassHash(contractClass: LegacyClass): Felt {
  return hashedLegacyExecutable(parseLegacyClass(contractClass)).classHash;
}

/**
 * Returns the executable form of a Cairo 0 class, including its {@link legacyClassHash}.
 *
 * @throws {DecodeError} when the JSON is not a Cairo 0 class
 */
export function hashedLegacyExecutable(parsed: ParsedLegacyClass): LegacyExecutable {
  const executable = legacyExecutableOf(parsed, 0n);
  return { ...executable, classHash: legacyClassHashOf(executable, parsed) };
}

/**
 * {@link legacyClassHash} of a decoded class.
 *
 * @param pause - called about every ten milliseconds on long lists; may throw to abort
 */
export function legacyClassHashOf(
  { program }: LegacyExecutable,
  { value }: ParsedLegacyClass,
  pause?: () => void,
): Felt {
  return hashOf(program, value, pause);
}

/**
 * {@link legacyClassHash} from the hashed parts alone: public networks have classes that cannot be executed.
 *
 * @throws {DecodeError} when a hashed part is missing
 */
export function partialLegacyClassHash({ value }: ParsedLegacyClass): Felt {
  const { program, entry_points_by_type: entryPoints } = hashedClassFile.decode(value, "");
  const { data: bytecode, builtins } = program;
  return hashOf({ entryPoints, bytecode, builtins }, value);
}

/** Hashed parts besides the JSON of ABI and program. */
interface HashedParts extends Pick<LegacyProgram, "bytecode" | "entryPoints"> {
  readonly builtins: readonly string[];
}

function hashOf(
  { entryPoints, builtins, bytecode }: HashedParts,
  value: JsonObject,
  pause?: () => void,
): Felt {
  pause?.();
  const hintedHash = hintedClassHash(value);
  pause?.();
  return pedersenArray([
    API_VERSION,
    entryPointsHash(entryPoints.EXTERNAL, pause),
    entryPointsHash(entryPoints.L1_HANDLER, pause),
    entryPointsHash(entryPoints.CONSTRUCTOR, pause),
    pedersenArray(builtins.map(feltFromShortString), pause),
    hintedHash,
    pedersenArray(bytecode, pause),
  ]);
}

function entryPointsHash(entryPoints: readonly LegacyEntryPoint[], pause?: () => void): Felt {
  return pedersenArray(
    entryPoints.flatMap((e) => [e.selector, BigInt(e.offset)]),
    pause,
  );
}

/** Starknet Keccak of ABI and program in the format of Python's `json.dumps(..., sort_keys=True)`. */
function hintedClassHash(value: JsonObject): Felt {
  const { program } = value;
  if (!isJsonObject(program)) throw new DecodeError("program", "object");
  const hashed: JsonObject = {
    abi: value["abi"] ?? null,
    program: hashedProgram(program as JsonObject),
  };
  return starknetKeccak(sortedPythonJson(hashed));
}

/**
 * Returns the program without debug information, in a form that keeps the hashes of old classes.
 *
 * Members that older compilers did not write are omitted when empty. Programs without a compiler version
 * (before 0.10) get a space before the colons of named tuples.
 */
function hashedProgram(program: JsonObject): JsonObject {
  const { attributes, compiler_version: version, ...rest } = program;
  const result: Record<string, JsonValue | undefined> = { ...rest, debug_info: null };
  if (Array.isArray(attributes) && attributes.length > 0) {
    result["attributes"] = attributes.map(hashedAttribute);
  }
  if (typeof version === "string") {
    result["compiler_version"] = version;
    return result;
  }
  for (const name of ["identifiers", "reference_manager"] as const) {
    const member = result[name];
    if (member !== undefined) result[name] = withSpacedTuples(member);
  }
  return result;
}

function hashedAttribute(attribute: JsonValue): JsonValue {
  if (!isJsonObject(attribute)) return attribute;
  const result: Record<string, JsonValue | undefined> = { ...(attribute as JsonObject) };
  const scopes = result["accessible_scopes"];
  if (Array.isArray(scopes) && scopes.length === 0) delete result["accessible_scopes"];
  if (result["flow_tracking_data"] === null) delete result["flow_tracking_data"];
  return result;
}

function withSpacedTuples(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(withSpacedTuples);
  if (!isJsonObject(value)) return value;
  const result: Record<string, JsonValue | undefined> = {};
  for (const [name, member] of Object.entries(value as JsonObject)) {
    if (member === undefined) continue;
    const isType = typeof member === "string" && (name === "cairo_type" || name === "value");
    result[name] = isType
      ? member.replaceAll(": ", " : ").replaceAll("  :", " :")
      : withSpacedTuples(member);
  }
  return result;
}

/** JSON text with sorted members, `", "` and `": "` as separators, ASCII only. */
function sortedPythonJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(sortedPythonJson).join(", ")}]`;
  if (typeof value === "string") return asciiText(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value as JsonObject).flatMap(([name, member]) =>
    member === undefined ? [] : [[name, member] as const],
  );
  members.sort(([a], [b]) => compareNames(a, b));
  const written = members.map(
    ([name, member]) => `${asciiText(name)}: ${sortedPythonJson(member)}`,
  );
  return `{${written.join(", ")}}`;
}

const PROGRAM_COUNTER = /^\d+$/u;

/** Compares member names; hints are keyed by numbers, which sort by value. */
function compareNames(a: string, b: string): number {
  if (PROGRAM_COUNTER.test(a) && PROGRAM_COUNTER.test(b)) return Number(a) - Number(b);
  return a < b ? -1 : 1;
}

function asciiText(value: string): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

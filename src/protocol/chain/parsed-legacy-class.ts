import { isJsonObject, type JsonObject, parseJson } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import type { LegacyClass } from "./class.ts";

/** A Cairo 0 class whose text was parsed; nothing in it was looked at. */
export interface ParsedLegacyClass {
  readonly contractClass: LegacyClass;
  /** What the text says. */
  readonly value: JsonObject;
}

/**
 * Parses the text of a Cairo 0 class.
 *
 * @throws {DecodeError} when it is no JSON object
 */
export function parseLegacyClass(contractClass: LegacyClass): ParsedLegacyClass {
  const value = parseJson(contractClass.json);
  if (!isJsonObject(value)) throw new DecodeError("", "object");
  return { contractClass, value: value as JsonObject };
}

/** What of a Cairo 0 class makes its hash long to compute. */
export interface LegacyClassLengths {
  /** Felts of the program. */
  readonly programFelts: number;
  /** Entry points of all types. */
  readonly entryPoints: number;
}

/** Counts what {@link LegacyClassLengths} names; what is no list counts as none. */
export function legacyClassLengths({ value }: ParsedLegacyClass): LegacyClassLengths {
  const { program, entry_points_by_type: tables } = value;
  return {
    programFelts: isJsonObject(program) ? lengthOf(program["data"]) : 0,
    entryPoints: isJsonObject(tables)
      ? Object.values(tables).reduce((sum: number, table) => sum + lengthOf(table), 0)
      : 0,
  };
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

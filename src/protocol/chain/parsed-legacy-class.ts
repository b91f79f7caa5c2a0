import { isJsonObject, type JsonObject, parseJson } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import type { LegacyClass } from "./class.ts";

/** Cairo 0 class with parsed but unchecked JSON. */
export interface ParsedLegacyClass {
  readonly contractClass: LegacyClass;
  readonly value: JsonObject;
}

/**
 * Parses the text of a Cairo 0 class.
 *
 * @throws {DecodeError} when it is not a JSON object
 */
export function parseLegacyClass(contractClass: LegacyClass): ParsedLegacyClass {
  const value = parseJson(contractClass.json);
  if (!isJsonObject(value)) throw new DecodeError("", "object");
  return { contractClass, value: value as JsonObject };
}

/** Lengths that determine how long hashing a Cairo 0 class takes. */
export interface LegacyClassLengths {
  readonly programFelts: number;
  readonly entryPoints: number;
}

/** Counts {@link LegacyClassLengths}; a value that is not a list counts as empty. */
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

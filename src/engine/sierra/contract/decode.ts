import { FIELD_PRIME } from "#base/primitives/index.ts";
import type { Program } from "../program/program.ts";
import { CompileError } from "../compile-error.ts";
import { readProgram } from "./program-reader.ts";
import { checkVersion, readVersions, type SierraVersion } from "./sierra-version.ts";
import { unpackWords } from "./unpack.ts";

/** A Sierra program with the version that it is written in. */
export interface DecodedProgram {
  readonly version: SierraVersion;
  readonly program: Program;
}

/**
 * The program of a class: six felts with versions, then the program, packed.
 *
 * @throws {CompileError} SIERRA_DECODE when the felts are not a program, SIERRA_VERSION when it is
 *   written in a version that this compiler does not know
 */
export function decodeProgram(felts: readonly bigint[]): DecodedProgram {
  const large = felts.findIndex((felt) => felt >= FIELD_PRIME || felt < 0n);
  if (large >= 0) {
    throw new CompileError("SIERRA_DECODE", `sierra_program[${large}] is not a felt`);
  }
  const { sierra } = readVersions(felts);
  checkVersion(sierra);
  return { version: sierra, program: readProgram(unpackWords(felts.slice(6))) };
}

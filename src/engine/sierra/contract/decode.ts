import { FIELD_PRIME } from "#base/primitives/index.ts";
import type { Program } from "../program/program.ts";
import { CompileError } from "../compile-error.ts";
import { readProgram } from "./program-reader.ts";
import { checkVersion, readVersions, type SierraVersion } from "./sierra-version.ts";
import { unpackWords } from "./unpack.ts";

/** Sierra program and the version that it is written in. */
export interface DecodedProgram {
  readonly version: SierraVersion;
  readonly program: Program;
}

/**
 * Decodes the program of a class: six felts with versions, then the packed program.
 *
 * @throws {CompileError} SIERRA_DECODE when the felts are not a program, SIERRA_VERSION for an unsupported
 *   version
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

import { AppError } from "#base/errors/index.ts";

/** Kind of problem that prevents a class from being compiled. */
export type CompileErrorCode =
  /** The program's felts are not a valid Sierra program. */
  | "SIERRA_DECODE"
  /** This compiler does not support the Sierra version. */
  | "SIERRA_VERSION"
  /** A libfunc is not in the list of allowed ones, or is newer than the class's version. */
  | "SIERRA_LIBFUNC_NOT_ALLOWED"
  /** A type or libfunc cannot be specialized with its arguments. */
  | "SIERRA_SPECIALIZATION"
  /** The program breaks a rule of Sierra for types, variables, branches, gas or `ap`. */
  | "SIERRA_INVALID"
  /** The entry points do not match the program. */
  | "SIERRA_ENTRY_POINT"
  /** The bytecode is larger than allowed. */
  | "CASM_TOO_LARGE";

/** Error for a class that cannot be compiled; the message names the statement, the libfunc or the limit. */
export class CompileError extends AppError {
  declare readonly code: CompileErrorCode;

  constructor(
    code: CompileErrorCode,
    message: string,
    meta: Readonly<Record<string, string | number>> = {},
    cause?: unknown,
  ) {
    super(code, message, { meta, cause });
  }
}

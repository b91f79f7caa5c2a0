import { AppError } from "#base/errors/index.ts";

/** What was wrong with a class that was to be compiled. */
export type CompileErrorCode =
  /** The program's felts are no Sierra program. */
  | "SIERRA_DECODE"
  /** The Sierra version is not one that this compiler takes. */
  | "SIERRA_VERSION"
  /** A libfunc is not in the list of allowed ones, or is younger than the class's version. */
  | "SIERRA_LIBFUNC_NOT_ALLOWED"
  /** A type or libfunc cannot be made with its arguments. */
  | "SIERRA_SPECIALIZATION"
  /** The program breaks a rule of Sierra: of its types, variables, branches, gas or `ap`. */
  | "SIERRA_INVALID"
  /** Entry points that do not fit. */
  | "SIERRA_ENTRY_POINT"
  /** More bytecode than allowed. */
  | "CASM_TOO_LARGE";

/** A class that cannot be compiled; the message names the statement, the libfunc or the limit. */
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

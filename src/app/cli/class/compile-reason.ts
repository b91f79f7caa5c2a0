import { type CompileError, decodeProgram } from "#engine/sierra/index.ts";
import type { SierraClass } from "#protocol/chain/index.ts";

/**
 * Describes why a class does not compile: adds the statement's libfunc or the limit's option to the error.
 *
 * @param maxBytecodeSize - the configured limit in felts; `null` without one
 */
export function compileReason(
  { code, message, meta }: CompileError,
  sierraClass: SierraClass,
  maxBytecodeSize: number | null,
): string {
  if (code === "CASM_TOO_LARGE" && maxBytecodeSize !== null) {
    return `${message} (--max-bytecode-size ${maxBytecodeSize})`;
  }
  const { statement } = meta;
  // An error with a statement occurs after decoding, so decoding succeeds again.
  if (typeof statement !== "number") return message;
  const name = libfuncAt(sierraClass, statement);
  return name === undefined || message.includes(name)
    ? message
    : `${message} (statement #${statement} is ${name})`;
}

/** Name of the libfunc that a statement calls, or `return`; `undefined` when the statement does not exist. */
function libfuncAt({ sierraProgram }: SierraClass, index: number): string | undefined {
  const { program } = decodeProgram(sierraProgram);
  const statement = program.statements[index];
  if (statement?.kind !== "invocation") return statement?.kind;
  return program.libfuncs[statement.libfunc]?.genericId;
}

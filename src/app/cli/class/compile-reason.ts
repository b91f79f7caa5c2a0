import { type CompileError, decodeProgram } from "#engine/sierra/index.ts";
import type { SierraClass } from "#protocol/chain/index.ts";

/**
 * Why a class does not compile, for people: the statement with its libfunc, and the limit with its
 * option, where the error itself has only one of the two.
 *
 * @param maxBytecodeSize - the limit that was given, in felts; `null` for none
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
  // An error that knows its statement comes after decoding, which succeeds again.
  if (typeof statement !== "number") return message;
  const name = libfuncAt(sierraClass, statement);
  return name === undefined || message.includes(name)
    ? message
    : `${message} (statement #${statement} is ${name})`;
}

/** Name of the libfunc that a statement calls, or `return`; `undefined` when it calls none. */
function libfuncAt({ sierraProgram }: SierraClass, index: number): string | undefined {
  const { program } = decodeProgram(sierraProgram);
  const statement = program.statements[index];
  if (statement?.kind !== "invocation") return statement?.kind;
  return program.libfuncs[statement.libfunc]?.genericId;
}

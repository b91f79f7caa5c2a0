import { InvariantError } from "#base/errors/index.ts";
import { CompileError } from "../compile-error.ts";

/**
 * Runs a compilation. A check that the compiler makes of itself and that fails is a refusal of the class,
 * which keeps it as its cause: no class is compiled wrongly, and none stops who compiles it.
 *
 * @throws {CompileError} SIERRA_INVALID when such a check fails; other errors as they are
 */
export function selfChecked<T>(compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error;
    const message = `a check of the compiled code failed: ${error.message}`;
    throw new CompileError("SIERRA_INVALID", message, {}, error);
  }
}

import { InvariantError } from "#base/errors/index.ts";
import { CompileError } from "../compile-error.ts";

/**
 * Runs a compilation and converts failed self-checks of the compiler to rejections of the class, with the
 * failure as the cause. No class is compiled incorrectly, and no class can crash its compiler.
 *
 * @throws {CompileError} SIERRA_INVALID when a self-check fails; other errors pass through
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

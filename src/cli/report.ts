import { AppError, ConfigError } from "#errors/index.ts";

/** Exit codes of the program. */
export const EXIT = {
  ok: 0,
  /** Something failed while running. */
  runtime: 1,
  /** The command line or the configuration is wrong. */
  usage: 2,
  /** The command is not available in this version. */
  notAvailable: 3,
} as const;

/**
 * What to print for an error, and the exit code.
 *
 * Errors of our own families show their message, a {@link ConfigError} its findings; anything else
 * is a bug and shows its stack.
 */
export function reportError(error: unknown): { readonly text: string; readonly exitCode: number } {
  if (error instanceof ConfigError) {
    const lines = error.issues.map(({ path, line, message }) => {
      const where = line > 0 ? `line ${line}: ` : "";
      return `  ${where}${path === "" ? "" : `${path}: `}${message}`;
    });
    return { text: [`error: ${error.message}`, ...lines].join("\n"), exitCode: EXIT.usage };
  }
  if (error instanceof Error && error.name === "CLIError") {
    // citty's own finding, such as a missing word.
    return { text: `error: ${Bun.stripANSI(error.message)}`, exitCode: EXIT.usage };
  }
  if (error instanceof AppError) {
    return { text: `error: ${error.message}`, exitCode: EXIT.runtime };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text: `internal error (please report it): ${text}`, exitCode: EXIT.runtime };
}

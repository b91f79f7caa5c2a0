import { AppError, ConfigError } from "#base/errors/index.ts";
import { printable } from "./printable.ts";

/** Exit codes of the program. */
export const EXIT = {
  ok: 0,
  /** Something failed while running. */
  runtime: 1,
  /** The command line or the configuration is wrong. */
  usage: 2,
  /** Compiling a class exceeded the bound of time or memory. */
  unfinished: 3,
  /** Another sequencer of the chain leads. */
  deposed: 4,
} as const;

/** Errors of other families than {@link ConfigError} that have an exit code of their own. */
const EXIT_BY_CODE: Readonly<Record<string, number>> = {
  NODE_DEPOSED: EXIT.deposed,
  NODE_COMPILATION_UNFINISHED: EXIT.unfinished,
  // The configuration is not that of the data directory.
  STORAGE_OTHER_CHAIN: EXIT.usage,
};

/** Longest message and path of a finding that is shown. */
const MAX_SHOWN = 2000;

/**
 * What to print for an error, and the exit code.
 *
 * Errors of our own families show their message, a {@link ConfigError} its findings; anything else
 * is a bug and shows its stack. Control characters, which foreign text may hold, are shown as
 * escapes.
 */
export function reportError(error: unknown): { readonly text: string; readonly exitCode: number } {
  const { text, exitCode } = describe(error);
  return { text: text.split("\n").map(printable).join("\n"), exitCode };
}

function describe(error: unknown): { readonly text: string; readonly exitCode: number } {
  if (error instanceof ConfigError) {
    const lines = error.issues.map(({ path, line, message }) => {
      const where = line > 0 ? `line ${line}: ` : "";
      const what = `${path === "" ? "" : `${short(path)}: `}${short(message)}`;
      // One finding, one line: a name in the file must not be able to look like another one.
      return `  ${where}${what.replaceAll("\n", "\\n")}`;
    });
    return { text: [`error: ${error.message}`, ...lines].join("\n"), exitCode: EXIT.usage };
  }
  if (error instanceof AppError) {
    const exitCode = EXIT_BY_CODE[error.code] ?? EXIT.runtime;
    return { text: `error: ${error.message}`, exitCode };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text: `internal error (please report it): ${text}`, exitCode: EXIT.runtime };
}

function short(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}

import { AppError, ConfigError } from "#base/errors/index.ts";
import { printable } from "./printable.ts";

/** Exit codes of the program. */
export const EXIT = {
  ok: 0,
  /** Something failed at run time. */
  runtime: 1,
  /** The command line or the configuration is wrong. */
  usage: 2,
  /** Compiling a class exceeded its time or memory limit. */
  unfinished: 3,
  /** Another sequencer of the chain is the leader. */
  deposed: 4,
} as const;

/** Exit codes of errors other than {@link ConfigError} that have a specific one. */
const EXIT_BY_CODE: Readonly<Record<string, number>> = {
  NODE_DEPOSED: EXIT.deposed,
  NODE_COMPILATION_UNFINISHED: EXIT.unfinished,
  // The configuration is for a different chain than the data directory.
  STORAGE_OTHER_CHAIN: EXIT.usage,
};

/** Maximum length of an issue's message and path. */
const MAX_SHOWN = 2000;

/**
 * Formats an error for output, with its exit code.
 *
 * Errors of this program show their message, a {@link ConfigError} its issues; anything else is a bug and
 * shows its stack. Control characters, which untrusted text may contain, are escaped.
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
      // One issue, one line: a name in a file must not be able to imitate another issue.
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

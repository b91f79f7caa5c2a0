import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import type { CliContext } from "../command.ts";
import { readStandardInput } from "../standard-input.ts";
import { readTextStream } from "../text-stream.ts";
import { showProgress } from "./progress.ts";
import type { ProcessLimits } from "#io/processes/index.ts";
import { classOutcomeInThread, classThread } from "./class-thread.ts";
import type { ClassOutcome } from "./outcome.ts";

/** File argument `-`: standard input or standard output. */
export const STANDARD = "-";

/** Outcome of a class file, with its name for messages. */
export interface CompiledClassFile {
  readonly name: string;
  readonly outcome: ClassOutcome;
}

/** Limits of a class and its compilation. */
export interface CompilationBounds {
  /** Maximum felts of bytecode; `null` for no limit. */
  readonly maxBytecodeSize: number | null;
  readonly limits: ProcessLimits;
}

type Context = Pick<CliContext, "input" | "signal" | "terminal">;

/**
 * Reads a class from a path, or from standard input for `-`, and compiles it; shows the elapsed time on a
 * terminal.
 *
 * @throws {ConfigError} when it cannot be read, is longer than 64 MiB, or is not UTF-8
 * @throws {NodeError} NODE_STOPPED when the signal is aborted first, NODE_COMPILATION_UNFINISHED when the
 * class exceeds the time or memory limit
 */
export async function compileClassFile(
  file: string,
  { maxBytecodeSize, limits }: CompilationBounds,
  context: Context,
): Promise<CompiledClassFile> {
  const name = file === STANDARD ? "standard input" : file;
  const text = await textOf(file, context);
  const hide = showProgress(`compiling ${name}`, context.terminal, SYSTEM_TIMER);
  try {
    return {
      name,
      outcome: await classOutcomeInThread(
        { text, maxBytecodeSize },
        context.signal,
        classThread(limits),
      ),
    };
  } finally {
    hide();
  }
}

function textOf(file: string, { input, signal }: Context): Promise<string> {
  if (file === STANDARD) return readStandardInput(input, signal);
  return readTextStream(file, () => Bun.file(file).stream(), signal);
}

import { shownWord } from "#base/primitives/index.ts";
import type { CliContext } from "../command.ts";
import { wrongCommandLine } from "../option-errors.ts";
import { parseArguments } from "../parse-arguments.ts";
import { EXIT } from "../report.ts";
import { SHELL_WORDS, SHELLS } from "./shells.ts";

/** Implements `appchain completions SHELL`: prints a script for the shell to load. */
export async function runCompletions(
  argv: readonly string[],
  context: CliContext,
): Promise<number> {
  const { positionals } = parseArguments({}, argv, {}, SHELL_WORDS);
  const [word = ""] = positionals;
  const shell = SHELLS.find((each) => each === word);
  if (shell === undefined) {
    throw wrongCommandLine(shownWord(word), `is not a known shell: expected ${SHELLS.join(", ")}`);
  }
  context.out((await context.completionsOf(shell)).trimEnd());
  return EXIT.ok;
}

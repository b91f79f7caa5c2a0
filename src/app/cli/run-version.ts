import type { CliContext } from "./command.ts";
import { NO_WORDS, parseArguments } from "./parse-arguments.ts";
import { EXIT } from "./report.ts";
import { VERSION } from "./version.ts";

/** `appchain version`. */
export async function runVersion(argv: readonly string[], context: CliContext): Promise<number> {
  parseArguments({}, argv, {}, NO_WORDS);
  context.out(VERSION);
  return EXIT.ok;
}

import type { CliContext } from "./command.ts";
import { NO_WORDS, parseArguments } from "./parse-arguments.ts";
import { EXIT } from "./report.ts";

/** `appchain bootstrap`: answers that this version has none. */
export async function runBootstrap(argv: readonly string[], context: CliContext): Promise<number> {
  parseArguments({}, argv, context.environment, NO_WORDS);
  context.err("error: bootstrap is not built yet in this version");
  return EXIT.notAvailable;
}

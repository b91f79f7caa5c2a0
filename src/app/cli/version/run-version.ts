import type { CliContext } from "../command.ts";
import { NO_WORDS, parseArguments } from "../parse-arguments.ts";
import { EXIT } from "../report.ts";
import { versionOptions } from "./options.ts";
import { versionText } from "./version-text.ts";

/** Implements `appchain version`. */
export async function runVersion(argv: readonly string[], context: CliContext): Promise<number> {
  const { options } = parseArguments(versionOptions, argv, context.environment, NO_WORDS);
  context.out(await versionText(options.verbose));
  return EXIT.ok;
}

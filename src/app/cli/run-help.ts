import type { CliContext } from "./command.ts";
import { EXIT } from "./report.ts";

/**
 * Implements `appchain help [COMMAND...]`. Options are shown only in the help of a single command.
 */
export async function runHelp(argv: readonly string[], context: CliContext): Promise<number> {
  context.out(await context.helpOf(argv));
  return EXIT.ok;
}

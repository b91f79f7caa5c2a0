import type { CliContext } from "./command.ts";
import { EXIT } from "./report.ts";

/** `appchain help [COMMAND...]`. Options are left to the help of the command that they belong to. */
export async function runHelp(argv: readonly string[], context: CliContext): Promise<number> {
  context.out(await context.helpOf(argv));
  return EXIT.ok;
}

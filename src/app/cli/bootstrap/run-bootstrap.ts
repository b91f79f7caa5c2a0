import type { CliContext } from "../command.ts";
import { NO_WORDS, parseArguments } from "../parse-arguments.ts";
import { EXIT } from "../report.ts";
import { bootstrapOptions } from "./options.ts";

/** `appchain bootstrap`: sets up a new chain on L1 and L2. So far it checks its settings. */
export async function runBootstrap(argv: readonly string[], context: CliContext): Promise<number> {
  const { environment } = context;
  const { options } = parseArguments(bootstrapOptions, argv, environment, NO_WORDS);
  const { readSettings } = await import("#app/bootstrap/index.ts");
  const { warnings } = readSettings(environment, options.dev);
  for (const warning of warnings) context.err(`warning: ${warning}`);
  context.err("error: the settings are right, but bootstrap is not built yet in this version");
  return EXIT.notAvailable;
}

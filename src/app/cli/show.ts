import { showOptions } from "#app/options/index.ts";
import { chainConfigYaml } from "#protocol/config/index.ts";
import type { CliContext } from "./command.ts";
import { CONFIG_WORDS, configSourceOf, loadCommandConfig } from "./config-source.ts";
import { forkComments } from "./fork-options.ts";
import { parseArguments } from "./parse-arguments.ts";
import { EXIT } from "./report.ts";

/**
 * Implements `appchain config show FILE`, standard input, or a preset: prints what the sequencer
 * would run with. A fork is shown as comments, so that the output loads to the same configuration.
 */
export async function runShow(argv: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseArguments(showOptions, argv, context.environment, CONFIG_WORDS);
  const comments = forkComments(parsed, configSourceOf(parsed).preset === "devnet");
  const { config, notices } = await loadCommandConfig(parsed, context);
  for (const notice of notices) context.err(`note: ${notice.message}`);
  for (const line of comments) context.out(line);
  context.out((await chainConfigYaml(config)).trimEnd());
  return EXIT.ok;
}

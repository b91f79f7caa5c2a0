import { configOptions } from "#app/options/index.ts";
import { chainConfigYaml } from "#protocol/config/index.ts";
import type { CliContext } from "./command.ts";
import { CONFIG_WORDS, loadCommandConfig } from "./config-source.ts";
import { parseArguments } from "./parse-arguments.ts";
import { EXIT } from "./report.ts";

/**
 * Implements `appchain config show FILE`, standard input, or a preset: prints what the sequencer
 * would run with.
 */
export async function runShow(argv: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseArguments(configOptions, argv, context.environment, CONFIG_WORDS);
  const { config, notices } = await loadCommandConfig(parsed, context);
  for (const notice of notices) context.err(`note: ${notice.message}`);
  context.out((await chainConfigYaml(config)).trimEnd());
  return EXIT.ok;
}

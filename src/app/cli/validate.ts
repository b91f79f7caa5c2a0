import { configOptions } from "#app/options/index.ts";
import type { CliContext } from "./command.ts";
import { CONFIG_WORDS, loadCommandConfig } from "./config-source.ts";
import { parseArguments } from "./parse-arguments.ts";
import { EXIT } from "./report.ts";

/**
 * Implements `appchain config validate FILE`, standard input, or a preset: loads it as the
 * sequencer would.
 */
export async function runValidate(argv: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseArguments(configOptions, argv, context.environment, CONFIG_WORDS);
  const { config, notices, source } = await loadCommandConfig(parsed, context);
  await context.checkGenesis(config);
  for (const notice of notices) context.err(`note: ${notice.message}`);
  context.out(
    `${source} is valid: ${config.chainName} (chain id ${config.chainId}), protocol ${config.latestProtocolVersion}`,
  );
  return EXIT.ok;
}

import { loadChainConfig, PRESETS } from "#protocol/config/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import type { CliContext } from "./command.ts";
import { givenName } from "./given.ts";
import { parseArguments } from "./parse-arguments.ts";
import { EXIT } from "./report.ts";
import { VALIDATE_WORDS, validateOptions } from "./validate-options.ts";

/** `appchain config validate FILE`, or a preset; as the sequencer would load it. */
export async function runValidate(argv: readonly string[], context: CliContext): Promise<number> {
  const { options, positionals, given } = parseArguments(
    validateOptions,
    argv,
    context.environment,
    VALIDATE_WORDS,
  );
  const paths = [...positionals, options.chainConfigPath].filter((path) => path !== undefined);
  if (paths.length + (options.preset === undefined ? 0 : 1) !== 1) {
    throw new ConfigError(
      `give one chain configuration: FILE or --preset NAME\nThe presets are: ${PRESETS.join(", ")}`,
    );
  }
  const { config, notices, source } = await loadChainConfig({
    path: paths[0],
    preset: options.preset,
    overrides: options.chainConfigOverride,
    overridesFrom: givenName(given, "chain-config-override"),
    role: "sequencer",
  });
  await context.checkGenesis(config);
  for (const notice of notices) context.err(`note: ${notice.message}`);
  context.out(
    `${source} is valid: ${config.chainName} (chain id ${config.chainId}), protocol ${config.latestProtocolVersion}`,
  );
  return EXIT.ok;
}

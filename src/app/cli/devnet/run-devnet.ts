import type { CliContext } from "../command.ts";
import { environmentName, optionsIn } from "#app/options/index.ts";
import { NO_WORDS, parseArguments } from "../parse-arguments.ts";
import { runSequencer } from "../run-node.ts";
import { devnetCommandOptions } from "./options.ts";
import { joinedMethods, sequencerWords } from "./sequencer-words.ts";

/**
 * Implements `appchain devnet`, and the program under the name `appchain-devnet`: a chain with
 * starknet-devnet's command line.
 */
export async function runDevnet(argv: readonly string[], context: CliContext): Promise<number> {
  const environment = withDevnetNames(context.environment);
  const parsed = parseArguments(devnetCommandOptions, joinedMethods(argv), environment, NO_WORDS);
  const seed = parsed.options.seed ?? randomSeed();
  const words = sequencerWords(parsed, seed);
  if (parsed.options.accounts > 0) context.err(`Seed of the funded accounts: ${seed}`);
  return runSequencer(words, { ...context, environment: withoutTwins(context.environment) });
}

/** A 32-bit seed like starknet-devnet's. */
function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] as number;
}

/** Adds this program's names (`APPCHAIN_PORT`) for variables set under starknet-devnet's names (`PORT`). */
function withDevnetNames(environment: CliContext["environment"]): CliContext["environment"] {
  const named = optionsIn(devnetCommandOptions).flatMap(({ flag }) => {
    const twin = environmentName(flag);
    const own = environment[twin] ?? environment[twin.replace(/^APPCHAIN_/, "")];
    return own === undefined ? [] : [[twin, own] as const];
  });
  return { ...environment, ...Object.fromEntries(named) };
}

/** Removes variables that are already part of the words, so that `sequencer` does not read them again. */
function withoutTwins(environment: CliContext["environment"]): CliContext["environment"] {
  const twins = new Set(optionsIn(devnetCommandOptions).map(({ flag }) => environmentName(flag)));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !twins.has(name)));
}

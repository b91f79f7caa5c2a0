import type { CliContext } from "../command.ts";
import { environmentName } from "../option.ts";
import { NO_WORDS, parseArguments } from "../parse-arguments.ts";
import { runSequencer } from "../run-node.ts";
import { devnetCommandOptions } from "./options.ts";
import { joinedMethods, sequencerWords } from "./sequencer-words.ts";

/** `appchain devnet`, and the program by the name `appchain-devnet`: a chain by starknet-devnet's command line. */
export async function runDevnet(argv: readonly string[], context: CliContext): Promise<number> {
  const environment = withDevnetNames(context.environment);
  const parsed = parseArguments(devnetCommandOptions, joinedMethods(argv), environment, NO_WORDS);
  const seed = parsed.options.seed ?? randomSeed();
  const words = sequencerWords(parsed, seed);
  if (parsed.options.accounts > 0) context.err(`Seed of the funded accounts: ${seed}`);
  return runSequencer(words, { ...context, environment: withoutTwins(context.environment) });
}

/** A seed as starknet-devnet has them, of 32 bits. */
function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] as number;
}

/** Variables by the names that starknet-devnet gives them, `PORT`, as this program names them, `APPCHAIN_PORT`. */
function withDevnetNames(environment: CliContext["environment"]): CliContext["environment"] {
  const named = Object.values(devnetCommandOptions).flatMap(({ flag }) => {
    const twin = environmentName(flag);
    const own = environment[twin] ?? environment[twin.replace(/^APPCHAIN_/, "")];
    return own === undefined ? [] : [[twin, own] as const];
  });
  return { ...environment, ...Object.fromEntries(named) };
}

/** What the words say already must not be read once more as an option of `sequencer`. */
function withoutTwins(environment: CliContext["environment"]): CliContext["environment"] {
  const twins = new Set(
    Object.values(devnetCommandOptions).map(({ flag }) => environmentName(flag)),
  );
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !twins.has(name)));
}

import { nearest } from "#base/primitives/index.ts";
import { ALL_COMMANDS } from "./commands.ts";
import type { CliContext } from "./command.ts";
import { environmentName, optionsIn } from "#app/options/index.ts";

type Environment = CliContext["environment"];

/** Prefix of all environment variables of options. */
const PREFIX = environmentName("");

/** Options that select what to run: any of their variables alone starts a node. */
const WHAT_TO_RUN = ["sequencer", "preset", "chain-config-path"].map(environmentName);

/** Whether the environment starts a node, so that the program needs no arguments. */
export function environmentStartsNode(environment: Environment): boolean {
  return WHAT_TO_RUN.some((name) => isSet(environment[name]));
}

/**
 * Returns a warning for each variable with the prefix that belongs to no option and has no effect.
 *
 * They are no errors, because others may set them for their own purposes: a container platform does for a
 * service of that name. Values are not shown, since they may be secret.
 */
export function unknownVariables(environment: Environment): readonly string[] {
  const known = ALL_COMMANDS.flatMap(({ options }) =>
    optionsIn(options).map(({ flag }) => environmentName(flag)),
  );
  const suffixes = known.map((name) => name.slice(PREFIX.length));
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && isSet(environment[name]))
    .filter((name) => !known.includes(name))
    .sort()
    .map((name) => {
      // Compare without the common prefix; an empty rest would match the shortest name.
      const own = name.slice(PREFIX.length);
      const match = own === "" ? undefined : nearest(own, suffixes);
      const hint = match === undefined ? "" : `; did you mean ${PREFIX}${match}?`;
      return `the environment variable ${name} is unknown and has no effect${hint}`;
    });
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

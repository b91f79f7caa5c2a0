import { nearest } from "#base/primitives/index.ts";
import { ALL_COMMANDS } from "./commands.ts";
import type { CliContext } from "./command.ts";
import { environmentName } from "./option.ts";

type Environment = CliContext["environment"];

/** What the names of all twins begin with. */
const PREFIX = environmentName("");

/** Options whose twins say what to run: any of them alone starts a node. */
const WHAT_TO_RUN = ["sequencer", "preset", "chain-config-path"].map(environmentName);

/** Whether the environment asks for a node, so that the program needs no words. */
export function environmentStartsNode(environment: Environment): boolean {
  return WHAT_TO_RUN.some((name) => isSet(environment[name]));
}

/**
 * A line for each variable that looks like the twin of an option and is none: it has no effect.
 *
 * Others may set such variables for purposes of their own (a container platform does for a service
 * of that name), so that they do not end the program. Values are not shown: they may be secret.
 */
export function unknownVariables(environment: Environment): readonly string[] {
  const known = ALL_COMMANDS.flatMap(({ options }) =>
    Object.values(options).map(({ flag }) => environmentName(flag)),
  );
  const suffixes = known.map((name) => name.slice(PREFIX.length));
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && isSet(environment[name]))
    .filter((name) => !known.includes(name))
    .sort()
    .map((name) => {
      // Compared without what all have in common; of nothing the shortest name would be the nearest.
      const own = name.slice(PREFIX.length);
      const match = own === "" ? undefined : nearest(own, suffixes);
      const hint = match === undefined ? "" : `; did you mean ${PREFIX}${match}?`;
      return `the environment variable ${name} is not known and has no effect${hint}`;
    });
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

import { DEFAULT_RESTRICTED_METHODS, type MethodTable } from "#api/rpc/index.ts";
import { ConfigError } from "#base/errors/index.ts";

/** The word for the methods that starknet-devnet forbids by default. */
const DEFAULT = "default";

/**
 * The names that an option has or stands for.
 *
 * @param given - names on the wire, or the one word `default`
 */
export function restrictedNames(given: readonly string[]): readonly string[] {
  return given.length === 1 && given[0] === DEFAULT ? DEFAULT_RESTRICTED_METHODS : given;
}

/**
 * The methods that a development chain forbids.
 *
 * @param given - as of {@link restrictedNames}
 * @param table - of the newest version, with the methods for developers
 * @throws {ConfigError} when one of them is served in no way
 */
export function restrictedMethods(
  given: readonly string[],
  table: Pick<MethodTable, "find" | "nearest">,
): readonly string[] {
  const names = restrictedNames(given);
  const issues = names
    .filter((name) => table.find(name) === undefined)
    .map((name) => {
      const match = table.nearest(name);
      const hint = match === undefined ? "" : `; did you mean ${match}?`;
      return { path: "--restrictive-mode", line: 0, message: `there is no method ${name}${hint}` };
    });
  if (issues.length > 0) throw new ConfigError("wrong command line", issues);
  return names;
}

import type { MethodTable } from "#api/rpc/index.ts";
import { ConfigError } from "#base/errors/index.ts";

/**
 * Validates the method names that a development chain forbids.
 *
 * @param names - as on the wire
 * @param table - methods of the newest version, including the developer methods
 * @throws {ConfigError} when a name is not a served method
 */
export function restrictedMethods(
  names: readonly string[],
  table: Pick<MethodTable, "find" | "nearest">,
): readonly string[] {
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

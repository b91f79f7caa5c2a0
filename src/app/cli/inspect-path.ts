import type { ConfigError } from "#base/errors/index.ts";

/**
 * Runs a file system query on a user's path.
 *
 * @param path - as it was written, for the error
 * @param wrong - creates the error of the option that names the path
 * @throws {ConfigError} with the system's error code when the query fails
 */
export function inspectPath<T>(
  look: () => T,
  path: string,
  wrong: (why: string) => ConfigError,
): T {
  try {
    return look();
  } catch (error) {
    const code = (error as { readonly code?: unknown } | null)?.code;
    throw wrong(`${path} cannot be read (${String(code)})`);
  }
}

import type { ConfigError } from "#base/errors/index.ts";

/**
 * What a look at a path that the user gave finds.
 *
 * @param path - as it was given, for the error
 * @param wrong - makes the error of the option that names the path
 * @throws {ConfigError} with the system's error code when the look fails
 */
export function looked<T>(look: () => T, path: string, wrong: (why: string) => ConfigError): T {
  try {
    return look();
  } catch (error) {
    const code = (error as { readonly code?: unknown } | null)?.code;
    throw wrong(`${path} cannot be read (${String(code)})`);
  }
}

import { flagName, type FlagSources } from "#app/options/index.ts";
import { ConfigError } from "#base/errors/index.ts";

/** Creates the error of a wrong command line. @param name - the wrong argument, as it was written */
export function wrongCommandLine(name: string, message: string): ConfigError {
  return new ConfigError("wrong command line", [{ path: name, line: 0, message }]);
}

/**
 * Creates the error of an option with a wrong value; the message names the option as it was
 * written.
 */
export function wrongOption(sources: FlagSources, flag: string, message: string): ConfigError {
  return wrongCommandLine(flagName(sources, flag), message);
}

/** Creates the error of two options that exclude each other, each named as it was written. */
export function notBoth(sources: FlagSources, flag: string, other: string): ConfigError {
  return wrongOption(sources, flag, `cannot be combined with ${flagName(sources, other)}`);
}

/** Creates the error of an option that only development chains have, used on another chain. */
export function devnetOnly(sources: FlagSources, flag: string): ConfigError {
  return wrongOption(sources, flag, "has an effect only with --preset devnet");
}

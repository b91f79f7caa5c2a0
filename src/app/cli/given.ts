import { flagName, type FlagSources } from "#app/options/index.ts";
import { ConfigError } from "#base/errors/index.ts";

/** Creates the error of a wrong command line. @param name - the wrong argument, as it was written */
export function wrongCommandLine(name: string, message: string): ConfigError {
  return new ConfigError("wrong command line", [{ path: name, line: 0, message }]);
}

/** Creates the error of a wrong option. */
export function wrongOption(given: FlagSources, flag: string, message: string): ConfigError {
  return wrongCommandLine(flagName(given, flag), message);
}

/** Creates the error of two options that exclude each other. */
export function notBoth(given: FlagSources, flag: string, other: string): ConfigError {
  return wrongOption(given, flag, `cannot be combined with ${flagName(given, other)}`);
}

/** Creates the error of a development option on another chain. */
export function devnetOnly(given: FlagSources, flag: string): ConfigError {
  return wrongOption(given, flag, "has an effect only with --preset devnet");
}

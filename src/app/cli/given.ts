import { ConfigError } from "#base/errors/index.ts";
import { environmentName } from "./option.ts";

/** The flags that were set, and where. */
export type FlagSources = ReadonlyMap<string, "line" | "environment">;

/** Name of an option in messages, in the form it was set: `--rpc-host` or `APPCHAIN_RPC_HOST`. */
export function flagName(given: FlagSources, flag: string): string {
  return given.get(flag) === "environment" ? environmentName(flag) : `--${flag}`;
}

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

import { ConfigError } from "#base/errors/index.ts";
import { environmentName } from "./option.ts";

/** The flags that were set, and where. */
export type GivenFlags = ReadonlyMap<string, "line" | "environment">;

/** Name of an option in messages, in the form it was set: `--rpc-host` or `APPCHAIN_RPC_HOST`. */
export function givenName(given: GivenFlags, flag: string): string {
  return given.get(flag) === "environment" ? environmentName(flag) : `--${flag}`;
}

/** Creates the error of a wrong command line. @param name - the wrong argument, as it was written */
export function wrongCommandLine(name: string, message: string): ConfigError {
  return new ConfigError("wrong command line", [{ path: name, line: 0, message }]);
}

/** Creates the error of a wrong option. */
export function wrongOption(given: GivenFlags, flag: string, message: string): ConfigError {
  return wrongCommandLine(givenName(given, flag), message);
}

/** Creates the error of two options that exclude each other. */
export function notBoth(given: GivenFlags, flag: string, other: string): ConfigError {
  return wrongOption(given, flag, `cannot be combined with ${givenName(given, other)}`);
}

/** Creates the error of a development option on another chain. */
export function devnetOnly(given: GivenFlags, flag: string): ConfigError {
  return wrongOption(given, flag, "has an effect only with --preset devnet");
}

import { ConfigError } from "#base/errors/index.ts";
import { environmentName } from "./option.ts";

/** The flags that were given, and where. */
export type GivenFlags = ReadonlyMap<string, "line" | "environment">;

/** How messages call an option: as it was given, `--rpc-host` or `APPCHAIN_RPC_HOST`. */
export function givenName(given: GivenFlags, flag: string): string {
  return given.get(flag) === "environment" ? environmentName(flag) : `--${flag}`;
}

/** The refusal of a command line. @param name - of what is wrong, as it was given */
export function wrongCommandLine(name: string, message: string): ConfigError {
  return new ConfigError("wrong command line", [{ path: name, line: 0, message }]);
}

/** The refusal of an option. */
export function wrongOption(given: GivenFlags, flag: string, message: string): ConfigError {
  return wrongCommandLine(givenName(given, flag), message);
}

/** The refusal of an option beside another one that says the same. */
export function notBoth(given: GivenFlags, flag: string, other: string): ConfigError {
  return wrongOption(given, flag, `give it or ${givenName(given, other)}, not both`);
}

/** The refusal of an option of development chains for another chain. */
export function devnetOnly(given: GivenFlags, flag: string): ConfigError {
  return wrongOption(given, flag, "has an effect with --preset devnet only");
}

import { environmentName } from "./option.ts";

/** The flags that were given, and where. */
export type GivenFlags = ReadonlyMap<string, "line" | "environment">;

/** How messages call an option: as it was given, `--rpc-host` or `APPCHAIN_RPC_HOST`. */
export function givenName(given: GivenFlags, flag: string): string {
  return given.get(flag) === "environment" ? environmentName(flag) : `--${flag}`;
}

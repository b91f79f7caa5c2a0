import packageJson from "../../../package.json" with { type: "json" };

/** Set by the build (`--define APPCHAIN_VERSION`); undefined when run from source. */
declare const APPCHAIN_VERSION: string | undefined;

/** Version of the program. */
export const VERSION: string =
  typeof APPCHAIN_VERSION === "string" ? APPCHAIN_VERSION : packageJson.version;

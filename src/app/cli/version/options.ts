import { switchOption } from "#app/options/index.ts";

/** The options of `version`. */
export const versionOptions = {
  verbose: switchOption({
    flag: "verbose",
    group: "Output",
    summary: "also print the versions of the runtime, protocol, JSON-RPC and Sierra",
  }),
};

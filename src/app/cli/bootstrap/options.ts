import { switchOption } from "../option.ts";

const group = "Bootstrap";

/** The options of `bootstrap`; what it sets up a chain with comes from variables of its own. */
export const bootstrapOptions = {
  dev: switchOption({
    flag: "dev",
    group,
    summary:
      "set up a development chain: a verifier on L1 that believes its operator, and nothing is handed over",
  }),
};

import { choiceOption } from "./build-option.ts";

/** Option of the explorer. */
export const explorerOptions = {
  /** `null`: on for a development chain. */
  explorer: choiceOption(
    {
      flag: "explorer",
      value: "on|off",
      group: "Other endpoints",
      summary:
        "serve the explorer's lists on the JSON-RPC port, below /explorer; a thread keeps them in explorer.db",
      defaultText: "on with --preset devnet, otherwise off",
    },
    ["on", "off"],
    null,
  ),
};

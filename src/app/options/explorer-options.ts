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
        "serve the explorer, a page that shows the chain, at /explorer/ on the JSON-RPC port; a thread keeps its lists in explorer.db",
      defaultText: "on with --preset devnet, otherwise off",
    },
    ["on", "off"],
    null,
  ),
};

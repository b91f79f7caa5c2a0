import { DURATION_FORM, parseDurationMs, PRESETS } from "#config/index.ts";
import { listOption, readName, readText, switchOption, valueOption } from "./option.ts";

const group = "Chain";

/** What chain to run, and where it is kept. */
export const chainOptions = {
  name: valueOption(
    { flag: "name", value: "NAME", group, summary: "node name, for logs and metrics" },
    "a name of 1 to 100 characters, none of them a control character",
    readName,
    "appchain",
  ),
  basePath: valueOption(
    {
      flag: "base-path",
      value: "DIR",
      group,
      summary: "data directory",
      defaultText: "appchain-data/<chain id>",
    },
    "a directory",
    readText,
    null,
  ),
  chainConfigPath: valueOption(
    {
      flag: "chain-config-path",
      value: "FILE",
      group,
      summary: "YAML chain configuration",
    },
    "a file",
    readText,
    undefined,
  ),
  preset: valueOption(
    {
      flag: "preset",
      value: "NAME",
      group,
      summary: `predefined chain configuration: ${PRESETS.join(", ")}`,
    },
    "a preset",
    readText,
    undefined,
  ),
  chainConfigOverride: listOption({
    flag: "chain-config-override",
    value: "FIELD=VALUE",
    group,
    summary:
      "override chain configuration fields: repeat it or give a comma list, reach inner fields with dots, write values as YAML",
  }),
  blockTime: valueOption(
    {
      flag: "block-time",
      value: "DURATION",
      group,
      summary: "a block at this fixed interval, with or without transactions",
    },
    DURATION_FORM,
    (text) => (parseDurationMs(text) === undefined ? undefined : text),
    null,
  ),
  privateKeyFile: valueOption(
    {
      flag: "private-key-file",
      value: "FILE",
      group,
      summary: "file with the key that signs blocks; without it one is kept in the data directory",
    },
    "a file",
    readText,
    null,
  ),
  noChargeFee: switchOption({
    flag: "no-charge-fee",
    group,
    summary: "execute transactions without charging fees",
  }),
};

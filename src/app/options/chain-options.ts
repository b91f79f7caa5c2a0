import { fileOption, offSwitchOption, switchOption, valueOption } from "./build-option.ts";
import { readName, readText } from "./read-option.ts";

const group = "Chain";

/** Options of the node as a whole, such as its name. */
export const nameOptions = {
  name: valueOption(
    { flag: "name", value: "NAME", group, summary: "node name, for logs and metrics" },
    "a name of 1 to 100 characters, none of them a control character",
    readName,
    "appchain",
  ),
};

/** Options of storage that choose the data directory. */
export const folderOptions = {
  basePath: valueOption(
    {
      flag: "base-path",
      brief: "data directory",
      value: "DIR",
      group,
      summary: "data directory",
      defaultText: "appchain-data/<chain id>",
    },
    "a directory",
    readText,
    null,
  ),
  ephemeral: switchOption({
    flag: "ephemeral",
    brief: "keep everything in a temporary folder",
    group,
    summary: "keep everything in a temporary folder that is deleted when the node stops",
  }),
  reset: switchOption({
    flag: "reset",
    group,
    summary:
      "delete the chain in the data directory and start a new one, without confirmation; refused for a folder that is not a data directory of this program",
  }),
  newChain: switchOption({
    flag: "new-chain",
    group,
    usedBy: "sequencer",
    summary:
      "start a new chain with the existing key where chain.db is missing but other files of a chain remain, which are deleted; without this option a sequencer refuses to start there",
  }),
};

/** Options of block production. */
export const productionOptions = {
  privateKeyFile: fileOption({
    flag: "private-key-file",
    group,
    usedBy: "sequencer",
    summary: "file with the key that signs blocks; by default a key is kept in the data directory",
  }),
  allowBootstrap: switchOption({
    flag: "allow-bootstrap",
    group,
    usedBy: "sequencer",
    summary:
      "accept free transactions also on a public address, while the native fee token has no contract",
  }),
  chargeFee: offSwitchOption({
    flag: "no-charge-fee",
    group,
    summary: "execute transactions without charging fees",
  }),
  trustClock: switchOption({
    flag: "trust-clock",
    group,
    usedBy: "sequencer",
    summary: "produce blocks even if the clock is more than 60 s behind the newest block",
  }),
};

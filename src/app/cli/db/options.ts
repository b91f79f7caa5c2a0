import { feltFromHex } from "#base/primitives/index.ts";
import { readInteger, readText, switchOption, valueOption } from "#app/options/index.ts";
import type { PositionalLimits } from "../parse-arguments.ts";

const group = "Database";

const basePath = valueOption(
  {
    flag: "base-path",
    value: "DIR",
    group,
    summary: "data directory",
    defaultText: "the one folder in appchain-data",
  },
  "a directory",
  readText,
  null,
);

const block = (flag: string, summary: string, defaultText: string) =>
  valueOption(
    { flag, value: "N", group, summary, defaultText },
    "number of a block",
    readInteger(0, Number.MAX_SAFE_INTEGER),
    null,
  );

/** The options of `db info`. */
export const dbInfoOptions = {
  basePath,
  quick: switchOption({
    flag: "quick",
    group,
    summary:
      "skip the sizes and row counts of tables, which require reading every page of the file",
  }),
};

/** The options of `db check`. */
export const dbCheckOptions = {
  basePath,
  from: block("from", "first block to check", "the oldest one"),
  to: block("to", "last block to check", "the newest one"),
  recompile: switchOption({
    flag: "recompile",
    group,
    summary: "recompile every Sierra class and compare its hints, which no hash covers",
  }),
  privateKeyFile: valueOption(
    {
      flag: "private-key-file",
      value: "FILE",
      group,
      summary: "file with the key that signs blocks, if the node uses one",
      defaultText: "the key in the data directory",
    },
    "a file",
    readText,
    null,
  ),
  publicKey: valueOption(
    {
      flag: "public-key",
      value: "HEX",
      group,
      summary: "public key of the chain, if the private key is not available",
    },
    "public key as 0x hex text",
    feltFromHex,
    null,
  ),
};

/** The options of `db backup`. */
export const dbBackupOptions = {
  basePath,
  withKey: switchOption({
    flag: "with-key",
    group,
    summary: "include the key that signs blocks; anyone with the backup can then sign",
  }),
};

/** The options of `db restore`. */
export const dbRestoreOptions = {
  basePath: { ...basePath, defaultText: "appchain-data/<chain id>" },
};

/** The options of `db compact`. */
export const dbCompactOptions = { basePath };

/** The options of `db revert`. */
export const dbRevertOptions = {
  basePath,
  to: block("to", "block that becomes the newest one", "none: it is required"),
  yes: switchOption({
    flag: "yes",
    group,
    summary: "perform the revert; without it the command prints what would be lost",
  }),
  force: switchOption({
    flag: "force",
    group,
    summary: "also revert blocks that are accepted on L1, which keeps them",
  }),
  dropReceived: switchOption({
    flag: "drop-received",
    group,
    summary: "also delete received transactions that wait for a block",
  }),
};

/** Positional argument of `db backup` and `db restore`. */
export const BACKUP_WORDS: PositionalLimits = {
  words: [{ name: "FILE", summary: "backup file" }],
  min: 1,
};

import { feltFromHex } from "#base/primitives/index.ts";
import { readInteger, readText, switchOption, valueOption } from "../option.ts";
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
    summary: "leave out what every page of the file is read for: sizes and rows of tables",
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
    summary: "compile every Sierra class anew and compare its hints, which no hash covers",
  }),
  privateKeyFile: valueOption(
    {
      flag: "private-key-file",
      value: "FILE",
      group,
      summary: "file with the key that signs blocks, if the node is given one",
      defaultText: "that of the data directory",
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
      summary: "public key of the chain, where its private one is not at hand",
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
    summary: "take the key that signs blocks along; whoever has the backup can sign then",
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
  to: block("to", "block that becomes the newest one", "none: it has to be given"),
  yes: switchOption({
    flag: "yes",
    group,
    summary: "do it: without, it is told what would be lost",
  }),
  force: switchOption({
    flag: "force",
    group,
    summary: "also when blocks go that are accepted on L1, which does not revert them",
  }),
  dropReceived: switchOption({
    flag: "drop-received",
    group,
    summary: "delete received transactions that wait for a block, too",
  }),
};

/** The word that `db backup` and `db restore` take. */
export const BACKUP_WORDS: PositionalLimits = {
  words: [{ name: "FILE", summary: "the backup" }],
  min: 1,
};

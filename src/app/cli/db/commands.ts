import type { Command, ExitCodes } from "../command.ts";
import { NO_WORDS } from "../parse-arguments.ts";
import {
  BACKUP_WORDS,
  dbBackupOptions,
  dbCheckOptions,
  dbCompactOptions,
  dbInfoOptions,
  dbRestoreOptions,
  dbRevertOptions,
} from "./options.ts";

const CODES: ExitCodes = {
  1: "a file cannot be read or written, is damaged, or a node uses the folder",
  2: "the command line is wrong, or the folder does not exist",
};

/** Commands that manage the database of a data directory. */
export const DB_COMMANDS: readonly Command[] = [
  {
    path: ["db", "info"],
    summary: "print the contents of a data directory: blocks, kept history, sizes",
    options: dbInfoOptions,
    positionals: NO_WORDS,
    notes: "A node may be running. Tables are listed with their indexes, the largest first.",
    examples: ["db info", "db info --base-path /var/lib/appchain --quick"],
    exitCodes: { 0: "the report is printed", ...CODES },
    load: async () => (await import("./run-info.ts")).runDbInfo,
  },
  {
    path: ["db", "check"],
    summary: "recompute all hashes and roots and report the first difference",
    options: dbCheckOptions,
    positionals: NO_WORDS,
    notes:
      "A node may be running. The file itself is checked first, then block by block the\n" +
      "transactions, receipts, events, classes, state, and the tries that are kept. Rows that belong\n" +
      "to no block are found only when all blocks are checked.",
    examples: ["db check", "db check --base-path /var/lib/appchain --from 1000 --to 2000"],
    exitCodes: {
      0: "there is no difference",
      ...CODES,
      1: "there is a difference, which is printed, or the check failed",
    },
    load: async () => (await import("./run-check.ts")).runDbCheck,
  },
  {
    path: ["db", "backup"],
    summary: "write a backup of the chain and of received transactions, also of a running node",
    options: dbBackupOptions,
    positionals: BACKUP_WORDS,
    notes:
      "The backup is one file of mode 0600 with a checksum. It is complete or absent, and never\n" +
      "overwrites a file; work in progress is in FILE.tmp.\n" +
      "The key that signs blocks is omitted without --with-key. Compiled classes are always omitted,\n" +
      "because they can be compiled again.",
    examples: ["db backup chain.backup", "db backup /backups/monday --base-path /var/lib/appchain"],
    exitCodes: { 0: "the backup is written and flushed to the disk", ...CODES },
    load: async () => (await import("./run-backup.ts")).runDbBackup,
  },
  {
    path: ["db", "restore"],
    summary: "create a data directory from a backup, whose checksum is verified",
    options: dbRestoreOptions,
    positionals: BACKUP_WORDS,
    notes:
      "A folder with a chain is refused. Start only one node with the restored data: two nodes that\n" +
      "continue from the same block create two chains. If a restore was killed, run it again.",
    examples: [
      "db restore chain.backup",
      "db restore /backups/monday --base-path /var/lib/appchain",
    ],
    exitCodes: { 0: "the chain is restored", ...CODES },
    load: async () => (await import("./run-restore.ts")).runDbRestore,
  },
  {
    path: ["db", "compact"],
    summary: "rewrite the database without free pages; no node may be running",
    options: dbCompactOptions,
    positionals: NO_WORDS,
    notes: "It needs disk space for a second file of the compacted size.",
    examples: ["db compact --base-path /var/lib/appchain"],
    exitCodes: { 0: "the database is compact", ...CODES },
    load: async () => (await import("./run-compact.ts")).runDbCompact,
  },
  {
    path: ["db", "revert"],
    summary: "revert blocks permanently; no node may be running",
    options: dbRevertOptions,
    positionals: NO_WORDS,
    notes:
      "All or nothing. Received transactions that wait for a block stay; transactions of reverted\n" +
      "blocks are lost and can be sent again. Tries that are not kept are rebuilt.",
    examples: ["db revert --to 1000 --yes"],
    exitCodes: {
      0: "the block is now the newest one",
      ...CODES,
      1: `${CODES[1]}; or blocks are accepted on L1`,
      2: `${CODES[2]}; or --yes is missing`,
    },
    load: async () => (await import("./run-revert.ts")).runDbRevert,
  },
];

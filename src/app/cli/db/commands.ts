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
  2: "the command line is wrong, or there is no such folder",
};

/** Commands that look after the database of a data directory. */
export const DB_COMMANDS: readonly Command[] = [
  {
    path: ["db", "info"],
    summary: "print what a data directory holds: blocks, what is kept of the past, sizes",
    options: dbInfoOptions,
    positionals: NO_WORDS,
    notes: "A node may be running. Tables are listed with their indexes, the largest first.",
    examples: ["db info", "db info --base-path /var/lib/appchain --quick"],
    exitCodes: { 0: "it is printed", ...CODES },
    load: async () => (await import("./run-info.ts")).runDbInfo,
  },
  {
    path: ["db", "check"],
    summary: "compute all hashes and roots again and report the first difference",
    options: dbCheckOptions,
    positionals: NO_WORDS,
    notes:
      "A node may be running. The file itself is checked first, then block by block transactions,\n" +
      "receipts, events, classes, the state, and tries as far as they are kept. Rows that belong to\n" +
      "no block are found when all blocks are checked.",
    examples: ["db check", "db check --base-path /var/lib/appchain --from 1000 --to 2000"],
    exitCodes: {
      0: "there is no difference",
      ...CODES,
      1: "there is a difference, which is printed, or the check could not be done",
    },
    load: async () => (await import("./run-check.ts")).runDbCheck,
  },
  {
    path: ["db", "backup"],
    summary: "write a backup of the chain and of received transactions, also of a running node",
    options: dbBackupOptions,
    positionals: BACKUP_WORDS,
    notes:
      "The backup is one file of mode 0600 with a checksum, is there as a whole or not at all, and\n" +
      "overwrites nothing; what it is made of lies in FILE.tmp meanwhile.\n" +
      "The key that signs blocks is left out unless --with-key says otherwise. So are compiled\n" +
      "classes, which are made again.",
    examples: ["db backup chain.backup", "db backup /backups/monday --base-path /var/lib/appchain"],
    exitCodes: { 0: "the backup is written and flushed to the disk", ...CODES },
    load: async () => (await import("./run-backup.ts")).runDbBackup,
  },
  {
    path: ["db", "restore"],
    summary: "make a data directory from a backup, whose checksum is verified",
    options: dbRestoreOptions,
    positionals: BACKUP_WORDS,
    notes:
      "A folder with a chain is refused. Start only one node with what was restored: two that go on\n" +
      "from the same block make two chains. When a restore was killed, give the command again.",
    examples: [
      "db restore chain.backup",
      "db restore /backups/monday --base-path /var/lib/appchain",
    ],
    exitCodes: { 0: "the chain is restored", ...CODES },
    load: async () => (await import("./run-restore.ts")).runDbRestore,
  },
  {
    path: ["db", "compact"],
    summary: "write the database anew without free pages; no node may be running",
    options: dbCompactOptions,
    positionals: NO_WORDS,
    notes: "It takes room for a second file of the size of what is left.",
    examples: ["db compact --base-path /var/lib/appchain"],
    exitCodes: { 0: "the database is compact", ...CODES },
    load: async () => (await import("./run-compact.ts")).runDbCompact,
  },
  {
    path: ["db", "revert"],
    summary: "revert blocks for good; no node may be running",
    options: dbRevertOptions,
    positionals: NO_WORDS,
    notes:
      "All or nothing. Received transactions that wait for a block stay; those of the blocks that go\n" +
      "are gone with them and can be sent again. Tries that are not kept are built again.",
    examples: ["db revert --to 1000 --yes"],
    exitCodes: {
      0: "the chain ends with that block",
      ...CODES,
      1: `${CODES[1]}; or blocks are accepted on L1`,
      2: `${CODES[2]}; or --yes is missing`,
    },
    load: async () => (await import("./run-revert.ts")).runDbRevert,
  },
];

import type { Command } from "../command.ts";
import {
  EXPORT_WORDS,
  IMPORT_WORDS,
  snapshotExportOptions,
  snapshotImportOptions,
} from "./options.ts";

/** Commands that write and read a chain at a block as files. */
export const SNAPSHOT_COMMANDS: readonly Command[] = [
  {
    path: ["snapshot", "export"],
    summary: "write the chain at a block as files that other nodes can start from",
    options: snapshotExportOptions,
    positionals: EXPORT_WORDS,
    notes:
      "A node may be running. The state after the block must still be kept. manifest.json is\n" +
      "written last. If an export was stopped, run the command again: it continues.",
    examples: [
      "snapshot export /srv/snapshots/monday",
      "snapshot export s3://bucket/snapshots/1000 --at 1000 --base-path /var/lib/appchain",
    ],
    exitCodes: {
      0: "the snapshot is complete",
      1: "a file cannot be read or written, or the state of the block is not kept",
      2: "the command line is wrong, or the folder does not exist",
    },
    load: async () => (await import("./run-export.ts")).runSnapshotExport,
  },
  {
    path: ["snapshot", "import"],
    summary: "create a data directory from a snapshot, verified against a block hash or a key",
    options: snapshotImportOptions,
    positionals: IMPORT_WORDS,
    notes:
      "Set --block-hash, or the key that signs the chain's blocks: --public-key, or the\n" +
      "sequencer_public_key of a configuration. The state's tries are rebuilt, and must yield the root\n" +
      "of the block. If an import was stopped, or the source no longer responds, run the command\n" +
      "again: it continues. A wrong snapshot leaves nothing behind.",
    examples: [
      "snapshot import /srv/snapshots/monday --block-hash 0x5f3c1d",
      "snapshot import https://snapshots.example.org/monday --chain-config-path chain.yaml",
    ],
    exitCodes: {
      0: "the data directory is ready for a full node, or a standby",
      1: "the snapshot is wrong, or a file cannot be read or written",
      2: "the command line or the configuration is wrong, or for another chain",
    },
    load: async () => (await import("./run-import.ts")).runSnapshotImport,
  },
];

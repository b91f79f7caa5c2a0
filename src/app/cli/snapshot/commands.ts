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
      "A node may be running. The state after the block has to be kept still. manifest.json is\n" +
      "written last. When an export was stopped, give the command again: it goes on.",
    examples: [
      "snapshot export /srv/snapshots/monday",
      "snapshot export s3://bucket/snapshots/1000 --at 1000 --base-path /var/lib/appchain",
    ],
    exitCodes: {
      0: "the snapshot is whole",
      1: "a file cannot be read or written, or the state of the block is not kept",
      2: "the command line is wrong, or there is no such folder",
    },
    load: async () => (await import("./run-export.ts")).runSnapshotExport,
  },
  {
    path: ["snapshot", "import"],
    summary: "make a data directory from a snapshot, verified against a block hash or a key",
    options: snapshotImportOptions,
    positionals: IMPORT_WORDS,
    notes:
      "Give --block-hash, or the key that signs the chain's blocks: --public-key, or the\n" +
      "sequencer_public_key of a configuration. The state is taken into tries again, and has to give\n" +
      "the root that the block names. When an import was stopped, or nobody answers any more, give\n" +
      "the command again: it goes on. Of a snapshot that is wrong nothing is left.",
    examples: [
      "snapshot import /srv/snapshots/monday --block-hash 0x5f3c1d",
      "snapshot import https://snapshots.example.org/monday --chain-config-path chain.yaml",
    ],
    exitCodes: {
      0: "the data directory is ready for a full node, or a standby",
      1: "the snapshot is wrong, or a file cannot be read or written",
      2: "the command line or the configuration is wrong, or of another chain",
    },
    load: async () => (await import("./run-import.ts")).runSnapshotImport,
  },
];

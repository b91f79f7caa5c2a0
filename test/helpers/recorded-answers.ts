import { SPEC_0_10_2 } from "#api/rpc/spec/v0_10/index.ts";
import { SPEC_0_8_1 } from "#api/rpc/spec/v0_8/index.ts";
import { SPEC_0_9_0 } from "#api/rpc/spec/v0_9/index.ts";
import type { SpecVersion } from "#api/rpc/spec/version.ts";
import type { ForeignJson } from "./foreign-json.ts";
import { readFixtureJson } from "./shared.ts";

/** Files of recorded responses of one version, by kind. */
export interface RecordedFiles {
  readonly blockHashes: readonly string[];
  /** With a flag whether the proofs' facts are included. */
  readonly blockTransactions: readonly (readonly [file: string, proofFacts: boolean])[];
  readonly blockReceipts: readonly string[];
  readonly receipts: readonly string[];
  readonly transactions: readonly string[];
  readonly statuses: readonly string[];
  readonly stateUpdates: readonly string[];
  readonly storage: readonly string[];
  readonly classes: readonly string[];
}

/** Responses of one version, recorded from another node (pathfinder) with its test chain. */
export interface RecordedVersion {
  /** Folder of the fixtures. */
  readonly folder: string;
  /** Specification version of this project. */
  readonly spec: SpecVersion;
  readonly files: RecordedFiles;
}

const OF_0_9: RecordedFiles = {
  blockHashes: ["latest_with_tx_hashes.json", "pre_confirmed_with_tx_hashes.json"],
  blockTransactions: [
    ["latest_with_txs.json", false],
    ["pre_confirmed_with_txs.json", false],
  ],
  blockReceipts: ["latest.json", "pre_confirmed.json"],
  receipts: [
    "receipt_l1_accepted.json",
    "receipt_l2_accepted.json",
    "receipt_pre_confirmed.json",
    "receipt_pre_latest.json",
    "receipt_reverted.json",
    "receipt_reverted_preconfirmed.json",
  ],
  transactions: [
    "txn_1.json",
    "txn_reverted.json",
    "txn_candidate_hash_0.json",
    "txn_pre_confirmed_hash_0.json",
    "txn_pre_latest_hash_0.json",
    "txn_preconfirmed_reverted.json",
  ],
  statuses: [
    "status_candidate.json",
    "status_pre_confirmed.json",
    "status_pre_latest.json",
    "status_reverted.json",
    "status_reverted_with_reason.json",
  ],
  stateUpdates: ["full.json", "pre_confirmed.json"],
  storage: [],
  classes: ["cairo0.json"],
};

/**
 * Over 0.8.0 that node returns nothing of its pre-confirmed block except an empty pending one; its
 * files of state updates are empty.
 */
const OF_0_8: RecordedFiles = {
  ...OF_0_9,
  receipts: ["receipt_l1_accepted.json", "receipt_l2_accepted.json", "receipt_reverted.json"],
  transactions: ["txn_1.json", "txn_reverted.json"],
  statuses: ["status_reverted_with_reason.json"],
  stateUpdates: [],
};

/** All recorded versions, newest first. */
export const RECORDED: readonly RecordedVersion[] = [
  {
    folder: "0.10.0",
    spec: SPEC_0_10_2,
    files: {
      ...OF_0_9,
      blockTransactions: [
        ...OF_0_9.blockTransactions,
        ["latest_with_txs_including_proof_facts.json", true],
      ],
      storage: ["latest.json", "latest_with_update_block.json"],
    },
  },
  { folder: "0.9.0", spec: SPEC_0_9_0, files: OF_0_9 },
  { folder: "0.8.0", spec: SPEC_0_8_1, files: OF_0_8 },
];

/** Paths of all recorded responses. */
export function recordedPaths(): readonly string[] {
  return RECORDED.flatMap(({ folder, files }) => {
    const below = (kind: string, names: readonly string[]): string[] =>
      names.map((name) => `${folder}/${kind}/${name}`);
    return [
      ...below("blocks", files.blockHashes),
      ...below(
        "blocks",
        files.blockTransactions.map(([name]) => name),
      ),
      ...below("blocks", files.blockReceipts),
      ...below("transactions", files.receipts),
      ...below("transactions", files.transactions),
      ...below("transactions", files.statuses),
      ...below("state_updates", files.stateUpdates),
      ...below("storage_at", files.storage),
      ...below("class_at", files.classes),
    ];
  });
}

/** Reads a recorded response. */
export function readAnswer(...path: string[]): ForeignJson {
  return readFixtureJson("rpc-execution", ...path) as ForeignJson;
}

import type { ForeignJson } from "./foreign-json.ts";
import { readFixtureJson } from "./shared.ts";

/** Answers of another node for its test chain (pathfinder), version 0.10.0: what tests compare. */
export const RECORDED = {
  blockHashes: ["latest_with_tx_hashes.json", "pre_confirmed_with_tx_hashes.json"],
  /** With whether the proofs' facts are shown. */
  blockTransactions: [
    ["latest_with_txs.json", false],
    ["latest_with_txs_including_proof_facts.json", true],
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
    "status_pre_confirmed.json",
    "status_pre_latest.json",
    "status_reverted.json",
    "status_reverted_with_reason.json",
  ],
  stateUpdates: ["full.json", "pre_confirmed.json"],
  storage: ["latest.json", "latest_with_update_block.json"],
  classes: ["cairo0.json"],
} as const;

/** Paths of all of them below the version's folder. */
export function recordedPaths(): readonly string[] {
  const below = (folder: string, files: readonly string[]): string[] =>
    files.map((file) => `${folder}/${file}`);
  return [
    ...below("blocks", RECORDED.blockHashes),
    ...below(
      "blocks",
      RECORDED.blockTransactions.map(([file]) => file),
    ),
    ...below("blocks", RECORDED.blockReceipts),
    ...below("transactions", RECORDED.receipts),
    ...below("transactions", RECORDED.transactions),
    ...below("transactions", RECORDED.statuses),
    ...below("state_updates", RECORDED.stateUpdates),
    ...below("storage_at", RECORDED.storage),
    ...below("class_at", RECORDED.classes),
  ];
}

/** One of them. */
export function readAnswer(...path: string[]): ForeignJson {
  return readFixtureJson("rpc-execution", "0.10.0", ...path) as ForeignJson;
}

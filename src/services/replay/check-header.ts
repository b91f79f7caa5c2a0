import {
  type BlockBody,
  blockHash,
  type BlockHeader,
  computeCommitments,
} from "#protocol/chain/index.ts";
import { requireSame } from "./difference.ts";

/**
 * Recomputes the hash of a block from its header.
 *
 * @throws {DifferenceFound} when the header has another one
 */
export function checkHeaderHash(header: BlockHeader): void {
  requireSame(`block_hash of block ${header.number}`, blockHash(header), header.hash);
}

/**
 * Recomputes what a header says of its block's contents.
 *
 * @throws {DifferenceFound} at the first field that is another one
 */
export function checkCommitments(body: BlockBody, header: BlockHeader): void {
  const ours = computeCommitments(body, header.protocolVersion);
  requireSame("transaction_count", ours.transactionCount, header.transactionCount);
  requireSame("event_count", ours.eventCount, header.eventCount);
  requireSame("state_diff_length", ours.stateDiffLength, header.stateDiffLength);
  requireSame("transaction_commitment", ours.transactionCommitment, header.transactionCommitment);
  requireSame("event_commitment", ours.eventCommitment, header.eventCommitment);
  requireSame("receipt_commitment", ours.receiptCommitment, header.receiptCommitment);
  requireSame("state_diff_commitment", ours.stateDiffCommitment, header.stateDiffCommitment);
}

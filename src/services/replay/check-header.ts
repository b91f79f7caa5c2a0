import {
  type BlockBody,
  blockHash,
  type BlockHeader,
  commitmentMismatch,
  computeCommitments,
} from "#protocol/chain/index.ts";
import { differ, requireSame } from "./difference.ts";

/**
 * Recomputes the hash of a block from its header.
 *
 * @throws {DifferenceFound} when the header has a different hash
 */
export function checkHeaderHash(header: BlockHeader): void {
  requireSame(`block_hash of block ${header.number}`, blockHash(header), header.hash);
}

/**
 * Recomputes the header's commitments to the block's contents.
 *
 * @throws {DifferenceFound} at the first field that differs
 */
export function checkCommitments(body: BlockBody, header: BlockHeader): void {
  const ours = computeCommitments(body, header.protocolVersion);
  const mismatch = commitmentMismatch(ours, header);
  if (mismatch === undefined) return;
  differ(mismatch.check, mismatch.expected, mismatch.found ?? "nothing");
}

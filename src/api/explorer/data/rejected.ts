import type { JsonObject } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";

/** A transaction that will be in no block. */
export interface RejectedTransaction {
  /** `null` for one that was refused before its hash was known. */
  readonly hash: Felt | null;
  /** `null` if the node no longer knows it. */
  readonly sender: Felt | null;
  /** Name of the JSON-RPC error of a refused submission; otherwise the executor's code or the cause. */
  readonly code: string;
  readonly reason: string;
  /** Whether the node had accepted the submission, and dropped the transaction later. */
  readonly wasReceived: boolean;
  readonly unixMs: number;
}

/** A block that a full node refused. */
export interface RefusedBlock {
  /** `null` if the refusal is about the source, not a block. */
  readonly blockNumber: number | null;
  /** Hash that the source reports; `null` if it is unknown. */
  readonly blockHash: Felt | null;
  /** Name of the check that failed. */
  readonly check: string;
  readonly reason: string;
  /** Where the block came from, without secrets. */
  readonly source: string;
  /** How often it was refused for this reason. */
  readonly count: number;
  /** Time of the last refusal. */
  readonly unixMs: number;
}

/** What a node has rejected and refused since its start, newest first. */
export interface Rejected {
  readonly transactions: readonly RejectedTransaction[];
  readonly blocks: readonly RefusedBlock[];
}

/** Writes the answer of `api/rejected`. */
export function writeRejected({ transactions, blocks }: Rejected): JsonObject {
  return {
    transactions: transactions.map(({ hash, sender, code, reason, wasReceived, unixMs }) => ({
      hash: hash === null ? null : hexFromFelt(hash),
      sender: sender === null ? null : hexFromFelt(sender),
      code,
      reason,
      was_received: wasReceived,
      unix_ms: unixMs,
    })),
    blocks: writeRefusedBlocks(blocks),
  };
}

/** Writes refused blocks for `api/rejected` and `api/status`. */
export function writeRefusedBlocks(blocks: readonly RefusedBlock[]): JsonObject[] {
  return blocks.map(({ blockNumber, blockHash, check, reason, source, count, unixMs }) => ({
    block_number: blockNumber,
    block_hash: blockHash === null ? null : hexFromFelt(blockHash),
    check,
    reason,
    source,
    count,
    unix_ms: unixMs,
  }));
}

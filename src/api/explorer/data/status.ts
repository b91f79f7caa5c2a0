import type { JsonObject } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { type RefusedBlock, writeRefusedBlocks } from "./rejected.ts";

/** State of the node that the overview shows. `null` means that the node does not know it. */
export interface ExplorerStatus {
  /** Blocks that are indexed; `to` is `null` while none is. */
  readonly indexed: { readonly from: number; readonly to: number | null };
  /** Newest block. */
  readonly head: number | null;
  readonly role: string;
  /** Whether this node makes the chain's blocks. */
  readonly leader: boolean;
  /** Blocks that the node knows of but does not have yet. */
  readonly lagBlocks: number;
  /** `reason` says why the node is not ready; `null` if it is. */
  readonly ready: { readonly isReady: boolean; readonly reason: string | null };
  /** Newest block accepted on L1. */
  readonly l1Accepted: number | null;
  readonly capacity: {
    readonly l2GasPerBlock: bigint | null;
    /** Interval of blocks in milliseconds; `null` when blocks are made on demand, or by another node. */
    readonly blockTimeMs: number | null;
  };
  /** Transactions that wait on this node. */
  readonly waiting: number | null;
  readonly isDevnet: boolean;
  readonly fork: {
    /** Scheme, host and port. */
    readonly origin: string;
    readonly blockNumber: number;
    readonly blockHash: Felt;
  } | null;
  /** Blocks that the node refused since its start, newest first; `null` while it makes its own. */
  readonly refusedBlocks: readonly RefusedBlock[] | null;
  /** As text. */
  readonly chainId: string;
  readonly version: string;
  readonly feeTokens: { readonly strk: Felt; readonly eth: Felt };
}

/** Writes the answer of `api/status`. */
export function writeStatus(status: ExplorerStatus): JsonObject {
  const { indexed, ready, capacity, fork, refusedBlocks, feeTokens } = status;
  return {
    indexed: { from: indexed.from, to: indexed.to },
    head: status.head,
    role: status.role,
    leader: status.leader,
    lag_blocks: status.lagBlocks,
    ready: { is_ready: ready.isReady, reason: ready.reason },
    l1: { accepted: status.l1Accepted },
    capacity: {
      l2_gas_per_block: capacity.l2GasPerBlock === null ? null : Number(capacity.l2GasPerBlock),
      block_time_ms: capacity.blockTimeMs,
    },
    mempool: { waiting: status.waiting },
    devnet: status.isDevnet,
    fork:
      fork === null
        ? null
        : {
            origin: fork.origin,
            block_number: fork.blockNumber,
            block_hash: hexFromFelt(fork.blockHash),
          },
    refused_blocks: refusedBlocks === null ? null : writeRefusedBlocks(refusedBlocks),
    chain_id: status.chainId,
    version: status.version,
    fee_tokens: { strk: hexFromFelt(feeTokens.strk), eth: hexFromFelt(feeTokens.eth) },
  };
}

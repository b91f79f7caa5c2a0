import type { Felt } from "#base/primitives/index.ts";
import type { DeltaMessage } from "#services/admission/index.ts";
import type { AcceptedMessage, SettledOnL1, SettleOnL1 } from "#services/sequencer/index.ts";
import type {
  BlockCheckOutcome,
  BlockCheckRequest,
  BlockReference,
  ClassCheckOutcome,
  ClassCheckRequest,
  SyncRefusal,
} from "./ports.ts";

/** Sync progress of a follower. */
export interface SyncProgress {
  /** Newest stored block at the start of this run; `undefined` if the run started at block 0. */
  readonly starting: BlockReference | undefined;
  /** Newest stored block; `undefined` if none. */
  readonly current: BlockReference | undefined;
  /** Newest known block of the gateway; `undefined` until it reports one. */
  readonly highest: BlockReference | undefined;
}

/** The published blocks above the accepted ones are gone: the sequencer lost or dropped them. */
export interface PendingDropped {
  readonly kind: "pendingDropped";
}

/** Request to compile a class; answered with {@link SyncCompiled}. */
export interface SyncCompile {
  readonly kind: "compile";
  readonly id: number;
  readonly classHash: Felt;
  /** Made by `encodeContractClass`. */
  readonly classBytes: Uint8Array;
}

/** Result of a compilation; without `casmJson` the class cannot be compiled, for the given reason. */
export interface SyncCompiled {
  readonly kind: "compiled";
  readonly id: number;
  readonly casmJson: string | null;
  readonly reason: string | null;
}

/**
 * Request to revert to `blockNumber`, the common ancestor: the stored blocks above it are on another branch
 * than the gateway's, which was verified down to it. The receiver stops this thread for the revert.
 */
export interface SyncRevert {
  readonly kind: "revert";
  readonly blockNumber: number;
  /** Hash of that block: if the chain has another block there by then, nothing is reverted. */
  readonly blockHash: Felt;
}

/** Newest block reported by the source; sent for every response, even if unchanged. */
export interface SourceHead {
  readonly kind: "sourceHead";
  /** `null` if the source reports that it has no block. */
  readonly blockNumber: number | null;
}

/** A pre-confirmed block is invalid and was dropped. Accepted blocks are not affected. */
export interface PreConfirmedDropped {
  readonly kind: "preConfirmedDropped";
  readonly refusal: SyncRefusal;
}

/** A block of a gateway was refused. The node stays as it is, and the gateways are retried. */
export interface SyncRefused {
  readonly kind: "refused";
  /** `null` when the refused part has arrived in valid form. */
  readonly refusal: SyncRefusal | null;
}

/**
 * The gateway follows another chain than the stored one: its block 0 differs. The receiver stops the node
 * with exit code 2 and the message; nothing was changed.
 */
export interface OtherChain {
  readonly kind: "otherChain";
  readonly message: string;
}

/**
 * The block signer's key was pinned, as first reported by the gateway; any other key is refused from now on.
 */
export interface KeyPinned {
  readonly kind: "keyPinned";
  readonly publicKey: Felt;
}

/** Result of a request to a gateway, for metrics and the log. */
export interface GatewayRequestEnded {
  readonly kind: "gatewayRequestEnded";
  /** URL of the gateway, without parts that may contain a key. */
  readonly url: string;
  /** Last part of the path, for example `get_block`. */
  readonly route: string;
  /** `overdue`: the request is still open after a while; its final outcome is reported separately. */
  readonly outcome: "answered" | "throttled" | "failed" | "overdue";
  /** Reason of the failure; `undefined` if the request was answered. */
  readonly failure: string | undefined;
  /** Wait demanded by the gateway when `throttled`; omitted if it demands none. */
  readonly retryAfterMs?: number;
  readonly seconds: number;
}

/** Seconds that a stage spent on a block. */
export interface SyncStage {
  readonly kind: "stage";
  readonly stage: "fetch" | "check" | "apply" | "execute";
  readonly seconds: number;
}

/** Sync to verifier: check requests. Their texts are transferred. Responses may arrive in any order. */
export type ToVerifier =
  | { readonly kind: "checkBlock"; readonly id: number; readonly request: BlockCheckRequest }
  | { readonly kind: "checkClass"; readonly id: number; readonly request: ClassCheckRequest };

/** Verifier to sync: result of the check with this id. */
export type FromVerifier =
  | { readonly kind: "blockChecked"; readonly id: number; readonly outcome: BlockCheckOutcome }
  | { readonly kind: "classChecked"; readonly id: number; readonly outcome: ClassCheckOutcome };

/** A gateway accepted a transaction from this node, so it should soon be in a block. */
export interface TransactionForwarded {
  readonly kind: "transactionForwarded";
  readonly hash: Felt;
}

/** Main to sync. */
export type ToSync = SettleOnL1 | SyncCompiled | TransactionForwarded;

/** Sync to main. */
export type FromSync =
  | DeltaMessage
  | AcceptedMessage
  | SettledOnL1
  | PendingDropped
  | SyncCompile
  | SyncRevert
  | SyncRefused
  | PreConfirmedDropped
  | SourceHead
  | OtherChain
  | KeyPinned
  | GatewayRequestEnded
  | SyncStage
  | { readonly kind: "progress"; readonly progress: SyncProgress };

/** Sync to query threads: the messages of {@link FromSync} about the growth of the chain. */
export type SyncToQuery = DeltaMessage | AcceptedMessage | PendingDropped;

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

/** How far a follower is. */
export interface SyncProgress {
  /** Where this run began; `undefined`: at block 0. */
  readonly starting: BlockReference | undefined;
  /** Newest block that is stored; `undefined`: none. */
  readonly current: BlockReference | undefined;
  /** Newest block of the gateway, as far as it is known; `undefined`: none was told yet. */
  readonly highest: BlockReference | undefined;
}

/** What of the chain above the accepted blocks was told is gone: the sequencer lost or dropped it. */
export interface PendingGone {
  readonly kind: "pendingGone";
}

/** A class to compile; answered with {@link SyncCompiled}. */
export interface SyncCompile {
  readonly kind: "compile";
  readonly id: number;
  readonly classHash: Felt;
  /** Made by `encodeContractClass`. */
  readonly classBytes: Uint8Array;
}

/** What came of compiling a class; no `casmJson`: it cannot be compiled, for that reason. */
export interface SyncCompiled {
  readonly kind: "compiled";
  readonly id: number;
  readonly casmJson: string | null;
  readonly reason: string | null;
}

/**
 * The chain's newest blocks are another's: the other branch was checked down to `blockNumber`, the newest
 * block that both have. Whoever gets it reverts the chain to that block; the thread is stopped for it.
 */
export interface SyncRevert {
  readonly kind: "revert";
  readonly blockNumber: number;
  /** Of that block: when it is another one by then, nothing is reverted. */
  readonly blockHash: Felt;
}

/** The source has answered what its newest block is, whether that is a new one or not. */
export interface SourceHead {
  readonly kind: "sourceHead";
  /** `null`: it says that it has no block. */
  readonly blockNumber: number | null;
}

/** A pre-confirmed block is wrong and was dropped. Accepted blocks are not affected. */
export interface PreConfirmedDropped {
  readonly kind: "preConfirmedDropped";
  readonly refusal: SyncRefusal;
}

/** A block of a gateway is not taken. The node stays as it is, and the gateways are asked again. */
export interface SyncRefused {
  readonly kind: "refused";
  /** `null`: what was refused before has come in order. */
  readonly refusal: SyncRefusal | null;
}

/**
 * The gateway's chain is not the one that is stored here: its block 0 is another one. Whoever gets it
 * ends the node with exit code 2 and the message; nothing was changed.
 */
export interface OtherChain {
  readonly kind: "otherChain";
  readonly message: string;
}

/** The key that signs blocks, as the gateway told it first: it is kept, and another one is refused. */
export interface KeyPinned {
  readonly kind: "keyPinned";
  readonly publicKey: Felt;
}

/** What a gateway was asked, and how that ended: for metrics and the log. */
export interface GatewayAsked {
  readonly kind: "gatewayAsked";
  /** Of the gateway, without anything that may be a key. */
  readonly url: string;
  /** The last part of the path, for example `get_block`. */
  readonly route: string;
  /** `overdue`: it is still open after a while; how it ends is told once more. */
  readonly outcome: "answered" | "throttled" | "failed" | "overdue";
  /** What went wrong; `undefined`: it was answered. */
  readonly failure: string | undefined;
  /** Wait that the gateway demands when it is `throttled`; omitted when it demands none. */
  readonly retryAfterMs?: number;
  readonly seconds: number;
}

/** Seconds that a stage spent on a block. */
export interface SyncStage {
  readonly kind: "stage";
  readonly stage: "fetch" | "check" | "apply" | "execute";
  readonly seconds: number;
}

/** Sync to verifier: what is to be checked; the texts move with it. Answered in any order. */
export type ToVerifier =
  | { readonly kind: "checkBlock"; readonly id: number; readonly request: BlockCheckRequest }
  | { readonly kind: "checkClass"; readonly id: number; readonly request: ClassCheckRequest };

/** Verifier to sync: what came of the check with this id. */
export type FromVerifier =
  | { readonly kind: "blockChecked"; readonly id: number; readonly outcome: BlockCheckOutcome }
  | { readonly kind: "classChecked"; readonly id: number; readonly outcome: ClassCheckOutcome };

/** A gateway took a transaction from this node: it is in a block soon. */
export interface HandedOn {
  readonly kind: "handedOn";
  readonly hash: Felt;
}

/** Main to sync. */
export type ToSync = SettleOnL1 | SyncCompiled | HandedOn;

/** Sync to main. */
export type FromSync =
  | DeltaMessage
  | AcceptedMessage
  | SettledOnL1
  | PendingGone
  | SyncCompile
  | SyncRevert
  | SyncRefused
  | PreConfirmedDropped
  | SourceHead
  | OtherChain
  | KeyPinned
  | GatewayAsked
  | SyncStage
  | { readonly kind: "progress"; readonly progress: SyncProgress };

/** Sync to query threads: what of {@link FromSync} tells of the chain's growth. */
export type SyncToQuery = DeltaMessage | AcceptedMessage | PendingGone;

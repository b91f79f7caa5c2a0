import type { ClassContents } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** A received transaction that is not in a block yet. */
export interface MempoolEntry {
  readonly hash: Felt;
  /** Unix milliseconds. */
  readonly receivedAtMs: number;
  /** The transaction and what belongs to it, in the form of its owner. */
  readonly bytes: Uint8Array;
  /** The class that it declares. */
  readonly declared?: ClassContents;
  /** It was taken with any signature: its sender was impersonated on a development chain. */
  readonly isImpersonated?: boolean;
}

/** A stored transaction with what is noted about it. */
export interface StoredMempoolEntry extends Omit<MempoolEntry, "declared"> {
  /** Bytes of the definition of the class that it declares, which is read by itself; else 0. */
  readonly classSizeBytes: number;
  /** How often the process died, one time after the other, while it executed this. */
  readonly crashes: number;
}

/**
 * Why a received transaction is not going to be in a block:
 *
 * - `rejected`: the executor found it invalid
 * - `nonce_used`: another transaction of its account has its nonce
 * - `expired`: it waited longer than the time to live
 * - `replaced`: by one with the same nonce and a higher tip
 * - `evicted`: it made room in a full mempool
 * - `fatal`: executing or validating it ended the thread, or executing it the process
 */
export type RejectionCause =
  "rejected" | "nonce_used" | "expired" | "replaced" | "evicted" | "fatal";

/** The end of a received transaction that is not in a block. */
export interface MempoolRejection {
  readonly hash: Felt;
  readonly cause: RejectionCause;
  /** For whoever sent it. */
  readonly reason: string;
  /** Unix milliseconds. */
  readonly rejectedAtMs: number;
}

/** An account whose next transaction is not taken before a time. */
export interface SenderPause {
  readonly sender: Felt;
  /** How many of its transactions were dropped after their execution. */
  readonly drops: number;
  /** Unix milliseconds. */
  readonly endsAtMs: number;
}

/** A message from L1 that was being executed, or committed, when the process or a thread died. */
export interface SuspectMessage {
  /** Of its L1 handler transaction. */
  readonly hash: Felt;
  /** How often that happened, one time after the other. */
  readonly crashes: number;
  /** Why it is not executed again; `null`: it is, alone. */
  readonly reason: string | null;
}

/** What changes in a mempool at once; everything is optional and done in the order of the fields. */
export interface MempoolChanges {
  /** Received; known hashes stay as they are, and what was known of their rejection is forgotten. */
  readonly put?: readonly MempoolEntry[];
  /** In a block; unknown hashes are ignored. */
  readonly remove?: readonly Felt[];
  /** Not going to be in a block: their transactions go, the reasons stay. */
  readonly reject?: readonly MempoolRejection[];
  /** Sets {@link StoredMempoolEntry.crashes} of stored transactions. */
  readonly quarantine?: readonly { readonly hash: Felt; readonly crashes: number }[];
  /** Takes the place of what was known of their senders. */
  readonly pauses?: readonly SenderPause[];
  /** Takes the place of what was known of them. */
  readonly suspectMessages?: readonly SuspectMessage[];
  /** They are in a block; unknown hashes are ignored. */
  readonly clearMessages?: readonly Felt[];
}

/** Received transactions and reasons, kept over restarts. One per process and file. */
export interface MempoolStore {
  /**
   * Stores changes in one transaction. When this returns they survive the crash of the process, and
   * power loss once a {@link sync} that follows has settled.
   *
   * @throws {StorageError} STORAGE_FAILED when the database fails (nothing is stored then)
   */
  write(changes: MempoolChanges): void;
  /**
   * Settles when everything that was written before survives power loss; the thread goes on meanwhile.
   *
   * @throws {StorageError} STORAGE_FAILED when the disk fails: what was written last may be lost
   */
  sync(): Promise<void>;
  /** {@link write} of entries alone. */
  put(entries: readonly MempoolEntry[]): void;
  /** {@link write} of removals alone. */
  remove(hashes: readonly Felt[]): void;
  /** All entries in the order in which they were put. */
  loadAll(): StoredMempoolEntry[];
  /** The class that a stored transaction declares. */
  declaredClass(hash: Felt): ClassContents | undefined;
  /** Why a transaction was rejected, while that is kept. */
  rejectionOf(hash: Felt): MempoolRejection | undefined;
  /** Transactions that were rejected as `fatal`, while that is kept. */
  fatalHashes(): Felt[];
  /** The pauses of senders that end after a time, in Unix milliseconds; the first one to end in front. */
  pauses(afterMs: number): SenderPause[];
  /** Messages from L1 that crashes are, or may be, blamed on. */
  suspectMessages(): SuspectMessage[];
  /** Forgets pauses that ended before a time, in Unix milliseconds. */
  forgetPauses(beforeMs: number): void;
  /**
   * Forgets rejections.
   *
   * @param beforeMs - older ones are forgotten; Unix milliseconds
   * @param keepAtMost - and of the others the oldest, above this number
   */
  forgetRejections(beforeMs: number, keepAtMost: number): void;
  close(): void;
}

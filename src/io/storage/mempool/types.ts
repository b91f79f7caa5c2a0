import type { ClassContents } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Received transaction that is not included in a block yet. */
export interface MempoolEntry {
  readonly hash: Felt;
  /** Unix milliseconds. */
  readonly receivedAtMs: number;
  /** Transaction and its metadata, in the format of the caller. */
  readonly bytes: Uint8Array;
  /** Declared class; omitted for other transactions. */
  readonly declared?: ClassContents;
  /**
   * Whether it was accepted with any signature, because its sender is impersonated on a development chain.
   */
  readonly isImpersonated?: boolean;
}

/** Stored transaction with its crash count. */
export interface StoredMempoolEntry extends Omit<MempoolEntry, "declared"> {
  /** Size of the declared class's definition, which is loaded separately; 0 for other transactions. */
  readonly classSizeBytes: number;
  /** Number of consecutive process crashes while this transaction was executed. */
  readonly crashes: number;
}

/**
 * Why a received transaction will not be included in a block:
 *
 * - `rejected`: the executor found it invalid
 * - `nonce_used`: another transaction of its account used its nonce
 * - `expired`: it waited longer than the time to live
 * - `replaced`: by one with the same nonce and a higher tip
 * - `evicted`: it was dropped from a full mempool
 * - `fatal`: executing or validating it killed the thread, or executing it killed the process
 */
export type RejectionCause =
  "rejected" | "nonce_used" | "expired" | "replaced" | "evicted" | "fatal";

/** Rejection of a received transaction. */
export interface MempoolRejection {
  readonly hash: Felt;
  readonly cause: RejectionCause;
  /** Explanation for the sender. */
  readonly reason: string;
  /** Unix milliseconds. */
  readonly rejectedAtMs: number;
}

/** Account whose next transaction is rejected until a time. */
export interface SenderPause {
  readonly sender: Felt;
  /** Number of its transactions that were dropped after their execution. */
  readonly drops: number;
  /** Unix milliseconds. */
  readonly endsAtMs: number;
}

/** Message from L1 that was being executed or committed when the process or a thread died. */
export interface SuspectMessage {
  /** Hash of its L1 handler transaction. */
  readonly hash: Felt;
  readonly crashes: number;
  /** Why it is not executed again; `null` if it is executed again, alone. */
  readonly reason: string | null;
}

/** Changes of a mempool, applied atomically in the order of the fields; all are optional. */
export interface MempoolChanges {
  /** Received transactions. Known hashes stay unchanged; earlier rejections of them are deleted. */
  readonly put?: readonly MempoolEntry[];
  /** Included in a block; unknown hashes are ignored. */
  readonly remove?: readonly Felt[];
  /** Rejected: deletes the transactions and stores the reasons. */
  readonly reject?: readonly MempoolRejection[];
  /** Sets {@link StoredMempoolEntry.crashes} of stored transactions. */
  readonly quarantine?: readonly { readonly hash: Felt; readonly crashes: number }[];
  /** Replaces earlier pauses of the same senders. */
  readonly pauses?: readonly SenderPause[];
  /** Replaces earlier entries for the same messages. */
  readonly suspectMessages?: readonly SuspectMessage[];
  /** Included in a block; unknown hashes are ignored. */
  readonly clearMessages?: readonly Felt[];
}

/** Persistent store of received transactions and rejections. One per process and file. */
export interface MempoolStore {
  /**
   * Stores changes in one transaction. On return they survive a process crash; they survive power loss once a
   * later {@link sync} has settled.
   *
   * @throws {StorageError} STORAGE_FAILED when the database fails (nothing is stored)
   */
  write(changes: MempoolChanges): void;
  /**
   * Settles when all earlier writes survive power loss; does not block the thread.
   *
   * @throws {StorageError} STORAGE_FAILED when the disk fails: the last writes may be lost
   */
  sync(): Promise<void>;
  /** Shorthand for {@link write} with only `put`. */
  put(entries: readonly MempoolEntry[]): void;
  /** Shorthand for {@link write} with only `remove`. */
  remove(hashes: readonly Felt[]): void;
  /** Returns all entries in insertion order. */
  loadAll(): StoredMempoolEntry[];
  declaredClass(hash: Felt): ClassContents | undefined;
  /** Returns the rejection of a transaction, while it is stored. */
  rejectionOf(hash: Felt): MempoolRejection | undefined;
  /** Returns transactions rejected as `fatal`, while their rejections are stored. */
  fatalHashes(): Felt[];
  /** Returns pauses that end after a time in Unix milliseconds, ordered by end. */
  pauses(afterMs: number): SenderPause[];
  /** Returns messages from L1 that caused, or may have caused, a crash. */
  suspectMessages(): SuspectMessage[];
  /** Deletes pauses that ended before a time in Unix milliseconds. */
  forgetPauses(beforeMs: number): void;
  /**
   * Deletes old rejections.
   *
   * @param beforeMs - deletes older ones; Unix milliseconds
   * @param keepAtMost - maximum number to keep; the oldest are deleted first
   */
  forgetRejections(beforeMs: number, keepAtMost: number): void;
  close(): void;
}

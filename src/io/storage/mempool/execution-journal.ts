import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { StorageError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { requireSameGenesis } from "../bind-file.ts";
import { noRoomSentence } from "../file-failure.ts";
import {
  decodeJournal,
  DIED,
  EMPTY_JOURNAL,
  encodeJournalHeader,
  encodeJournalRecord,
  IDLE,
  isCurrentForm,
  type JournalContent,
  type JournalState,
  MAX_CAUSE_BYTES,
  MAX_JOURNAL_BYTES,
  RECORD_AT,
  RUNNING,
} from "./journal-form.ts";

/** Hash in an {@link ExecutionRecord} when several transactions, or none, were being processed. */
export const UNNAMED = 0n;

/** Work in progress when a process or its thread died. */
export interface ExecutionRecord {
  /** {@link UNNAMED} when no single transaction is known to be at fault. */
  readonly hash: Felt;
  /** From 1; higher when it was also being executed at earlier process crashes. At most 255. */
  readonly attempt: number;
  /** How the executor died, if the node observed it; `null` after an unobserved crash. */
  readonly cause: string | null;
}

/**
 * Records on disk which transaction is being executed, so that it is known after a crash.
 *
 * A write reaches the kernel's memory, which survives a process crash; that costs a few microseconds. Only
 * entries that must survive power loss are synced: retries after a crash, crashes, and their resolution.
 */
export class ExecutionJournal {
  /** Hash of the chain's first block recorded in the file when it was opened; 0 if none was recorded. */
  readonly genesisHash: Felt;
  readonly #path: string;
  readonly #file: number;
  #state: JournalState;
  #attempt: number;

  /**
   * Opens or creates the file; its record stays until the next execution starts.
   *
   * @throws {StorageError} STORAGE_CANNOT_OPEN, STORAGE_DAMAGED
   */
  constructor(path: string) {
    this.#path = path;
    this.#file = open(path);
    try {
      const { state, attempt, genesisHash } = this.#bringToForm();
      this.#state = state;
      this.#attempt = attempt;
      this.genesisHash = genesisHash;
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  /** Binds the file to a chain. @param genesisHash - hash of the chain's first block */
  bind(genesisHash: Felt): void {
    this.#write(encodeJournalHeader(genesisHash), 0);
  }

  /** Records the start of an execution; `attempt` is capped at 255. */
  begin(hash: Felt, attempt: number): void {
    this.#note(RUNNING, Math.min(attempt, 255), hash);
    if (attempt > 1) this.#sync();
  }

  end(): void {
    if (this.#state === IDLE) return;
    const wasQuarantined = this.#attempt > 1;
    this.#note(IDLE, 0, UNNAMED);
    if (wasQuarantined) this.#sync();
  }

  /** Records that the current execution killed the executor. Does nothing while idle. */
  died(cause: string): void {
    // Another thread's journal has written the file since this one was opened.
    const content = this.#guarded(() => decodeJournal(contentOf(this.#file), this.#path));
    if (content?.state !== RUNNING) return;
    const text = new TextEncoder().encode(cause).slice(0, MAX_CAUSE_BYTES);
    this.#write(encodeJournalRecord({ ...content, state: DIED, cause: text }), RECORD_AT);
    this.#sync();
  }

  /** Erases the record durably. */
  clear(): void {
    this.#note(IDLE, 0, UNNAMED);
    this.#sync();
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Rewrites a new file, or one of an older version, in the current format. */
  #bringToForm(): JournalContent {
    const bytes = contentOf(this.#file);
    const content = decodeJournal(bytes, this.#path) ?? EMPTY_JOURNAL;
    if (!isCurrentForm(bytes)) {
      const header = encodeJournalHeader(content.genesisHash);
      const whole = Buffer.concat([header, encodeJournalRecord(content)]);
      const isGrowing = bytes.length > 0 && bytes.length < whole.length;
      // An idle journal may be a truncated older file: padding it with zeros could turn it into a record.
      if (isGrowing) this.#resize(content.state === IDLE ? 0 : whole.length);
      this.#write(whole, 0);
    }
    return content;
  }

  /** Resizes and syncs first: otherwise power loss could combine the old size with the new header. */
  #resize(sizeBytes: number): void {
    this.#guarded(() => ftruncateSync(this.#file, sizeBytes));
    this.#sync();
  }

  #note(state: JournalState, attempt: number, hash: Felt): void {
    this.#state = state;
    this.#attempt = attempt;
    const { cause } = EMPTY_JOURNAL;
    this.#write(encodeJournalRecord({ state, attempt, hash, cause }), RECORD_AT);
  }

  #write(bytes: Uint8Array, at: number): void {
    this.#guarded(() => writeSync(this.#file, bytes, 0, bytes.length, at));
  }

  #sync(): void {
    this.#guarded(() => fsyncSync(this.#file));
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      if (cause instanceof StorageError) throw cause;
      const message = `The execution journal could not be written.${noRoomSentence(cause)}`;
      throw new StorageError("STORAGE_FAILED", message, { cause });
    }
  }
}

/** Erases the record of the journal at `path` durably. */
export function clearExecutionRecord(path: string): void {
  const journal = new ExecutionJournal(path);
  journal.clear();
  journal.close();
}

/**
 * Returns the record of the journal at `path`; `undefined` when nothing was being executed.
 *
 * @throws {StorageError} STORAGE_CANNOT_OPEN, STORAGE_DAMAGED
 */
export function readExecutionRecord(path: string): ExecutionRecord | undefined {
  const file = open(path);
  try {
    const { state, attempt, hash, cause } = decodeJournal(contentOf(file), path) ?? EMPTY_JOURNAL;
    if (state === IDLE) return undefined;
    return {
      hash,
      attempt: Math.max(1, attempt),
      cause: state === DIED ? new TextDecoder().decode(cause) : null,
    };
  } finally {
    closeSync(file);
  }
}

/**
 * Binds the journal at `path` to a chain.
 *
 * @param genesisHash - hash of the chain's first block; `null` while the chain is empty
 * @throws {StorageError} STORAGE_OTHER_CHAIN when it belongs to another chain; STORAGE_CANNOT_OPEN,
 *   STORAGE_DAMAGED
 */
export function bindExecutionJournal(path: string, genesisHash: Felt | null): void {
  const journal = new ExecutionJournal(path);
  try {
    const bound = journal.genesisHash === 0n ? null : journal.genesisHash;
    requireSameGenesis(path, bound, genesisHash);
    if (bound === null && genesisHash !== null) journal.bind(genesisHash);
  } finally {
    journal.close();
  }
}

function contentOf(file: number): Uint8Array {
  const bytes = new Uint8Array(MAX_JOURNAL_BYTES);
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
}

function open(path: string): number {
  try {
    // Opens for random access without truncation; the mode "r+" does not create the file.
    closeSync(openSync(path, "a", 0o640));
    return openSync(path, "r+");
  } catch (cause) {
    throw new StorageError(
      "STORAGE_CANNOT_OPEN",
      `The file ${path} cannot be opened.${noRoomSentence(cause)}`,
      {
        meta: { path },
        cause,
      },
    );
  }
}

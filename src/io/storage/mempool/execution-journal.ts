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

/** In the place of a hash: several transactions were worked on together, or none. */
export const UNNAMED = 0n;

/** What was being executed or made into a block when a process or its thread died. */
export interface ExecutionRecord {
  /** {@link UNNAMED} when no transaction is known to be at fault. */
  readonly hash: Felt;
  /** From 1; above when it was being executed at crashes of the process before. At most 255. */
  readonly attempt: number;
  /** How the executor died, if the node saw it; `null` after a crash without a trace. */
  readonly cause: string | null;
}

/**
 * Says on disk which transaction is being executed, so that a crash leaves its name behind.
 *
 * A write reaches the system's memory, which survives the crash of the process; that costs a few
 * microseconds. Only what must survive a loss of power too is synchronised: attempts after a crash,
 * crashes, and that they are settled.
 */
export class ExecutionJournal {
  /** Hash of the first block of the chain that the file belonged to when it was opened; 0: to none. */
  readonly genesisHash: Felt;
  readonly #path: string;
  readonly #file: number;
  #state: JournalState;
  #attempt: number;

  /**
   * Opens or creates the file; what it says stays until something is executed.
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

  /** Makes the file one of a chain. @param genesisHash - of the chain's first block */
  bind(genesisHash: Felt): void {
    this.#write(encodeJournalHeader(genesisHash), 0);
  }

  /** `hash` is executed from now on; `attempt` counts up to 255. */
  begin(hash: Felt, attempt: number): void {
    this.#note(RUNNING, Math.min(attempt, 255), hash);
    if (attempt > 1) this.#sync();
  }

  /** Nothing is executed any more. */
  end(): void {
    if (this.#state === IDLE) return;
    const wasQuarantined = this.#attempt > 1;
    this.#note(IDLE, 0, UNNAMED);
    if (wasQuarantined) this.#sync();
  }

  /** What is being executed ended the executor. Does nothing when nothing is executed. */
  died(cause: string): void {
    // Another thread's journal has written it since this one was opened.
    const content = this.#guarded(() => decodeJournal(contentOf(this.#file), this.#path));
    if (content?.state !== RUNNING) return;
    const text = new TextEncoder().encode(cause).slice(0, MAX_CAUSE_BYTES);
    this.#write(encodeJournalRecord({ ...content, state: DIED, cause: text }), RECORD_AT);
    this.#sync();
  }

  /** Forgets what it says, for good. */
  clear(): void {
    this.#note(IDLE, 0, UNNAMED);
    this.#sync();
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Writes a file that is new, or of an older version, in the form of this one. */
  #bringToForm(): JournalContent {
    const bytes = contentOf(this.#file);
    const content = decodeJournal(bytes, this.#path) ?? EMPTY_JOURNAL;
    if (!isCurrentForm(bytes)) {
      const header = encodeJournalHeader(content.genesisHash);
      const whole = Buffer.concat([header, encodeJournalRecord(content)]);
      const isGrowing = bytes.length > 0 && bytes.length < whole.length;
      // One that says nothing may be cut short in itself: zeros behind that could say something.
      if (isGrowing) this.#resize(content.state === IDLE ? 0 : whole.length);
      this.#write(whole, 0);
    }
    return content;
  }

  /** A loss of power could otherwise keep the size of the older form with the beginning of this one. */
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

/** Makes the journal at `path` forget what it says, for good. */
export function clearExecutionRecord(path: string): void {
  const journal = new ExecutionJournal(path);
  journal.clear();
  journal.close();
}

/**
 * What the journal at `path` says; `undefined` when nothing was being executed.
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
 * Makes the journal at `path` one of a chain.
 *
 * @param genesisHash - of the chain's first block; `null` while the chain has none
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
    // Reading and writing at any place, without truncation: no mode of `open` creates with "r+".
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

import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { StorageError } from "#base/errors/index.ts";
import { noRoomSentence } from "../file-failure.ts";
import { bytesFromFelt, type Felt, feltFromBytes } from "#base/primitives/index.ts";

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

/** Byte 0: nothing is executed. */
const IDLE = 0;
/** Byte 0, with the attempt in byte 1 and the hash in bytes 2 to 33: this is executed. */
const RUNNING = 1;
/** The same, with the cause as UTF-8 from byte 34 to the end of the file: this ended the executor. */
const DIED = 2;

const HASH_AT = 2;
const CAUSE_AT = 34;
const MAX_CAUSE_BYTES = 2_000;

/**
 * Says on disk which transaction is being executed, so that a crash leaves its name behind.
 *
 * A write reaches the system's memory, which survives the crash of the process; that costs a few
 * microseconds. Only what must survive a loss of power too is synchronised: attempts after a crash,
 * crashes, and that they are settled.
 */
export class ExecutionJournal {
  readonly #file: number;
  readonly #record = new Uint8Array(CAUSE_AT);

  /**
   * Opens or creates the file; what it says stays until something is executed.
   *
   * @throws {StorageError} STORAGE_CANNOT_OPEN
   */
  constructor(path: string) {
    this.#file = open(path);
  }

  /** `hash` is executed from now on; `attempt` counts up to 255. */
  begin(hash: Felt, attempt: number): void {
    this.#record[0] = RUNNING;
    this.#record[1] = Math.min(attempt, 255);
    this.#record.set(bytesFromFelt(hash), HASH_AT);
    this.#write(this.#record);
    if (attempt > 1) this.#sync();
  }

  /** Nothing is executed any more. */
  end(): void {
    const wasQuarantined = (this.#record[1] ?? 0) > 1;
    if (this.#record[0] === IDLE) return;
    this.#record.fill(0);
    this.#write(this.#record);
    if (wasQuarantined) this.#sync();
  }

  /** What is being executed ended the executor. Does nothing when nothing is executed. */
  died(cause: string): void {
    const record = new Uint8Array(CAUSE_AT);
    if (readSync(this.#file, record, 0, CAUSE_AT, 0) < CAUSE_AT || record[0] !== RUNNING) return;
    record[0] = DIED;
    const text = new TextEncoder().encode(cause).subarray(0, MAX_CAUSE_BYTES);
    // The cause first: the record counts once its first byte is changed.
    this.#guarded(() => {
      ftruncateSync(this.#file, CAUSE_AT);
      writeSync(this.#file, text, 0, text.length, CAUSE_AT);
    });
    this.#write(record);
    this.#sync();
  }

  /** Forgets what it says, for good. */
  clear(): void {
    this.#record.fill(0);
    this.#write(this.#record);
    this.#sync();
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(record: Uint8Array): void {
    this.#guarded(() => writeSync(this.#file, record, 0, record.length, 0));
  }

  #sync(): void {
    this.#guarded(() => fsyncSync(this.#file));
  }

  #guarded(work: () => unknown): void {
    try {
      work();
    } catch (cause) {
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

/** What the journal at `path` says; `undefined` when nothing was being executed. */
export function readExecutionRecord(path: string): ExecutionRecord | undefined {
  const file = open(path);
  try {
    const bytes = new Uint8Array(CAUSE_AT + MAX_CAUSE_BYTES);
    const length = readSync(file, bytes, 0, bytes.length, 0);
    const [state, attempt] = bytes;
    if (length < CAUSE_AT || (state !== RUNNING && state !== DIED)) return undefined;
    return {
      hash: feltFromBytes(bytes.subarray(HASH_AT, CAUSE_AT)),
      attempt: Math.max(1, attempt ?? 1),
      cause: state === DIED ? new TextDecoder().decode(bytes.subarray(CAUSE_AT, length)) : null,
    };
  } finally {
    closeSync(file);
  }
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

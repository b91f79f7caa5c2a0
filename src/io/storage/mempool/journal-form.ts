import { StorageError } from "#base/errors/index.ts";
import { bytesFromFelt, type Felt, FELT_BYTES, feltFromBytes } from "#base/primitives/index.ts";

/** Decoded content of a journal file. */
export interface JournalContent {
  /** Hash of the first block of the chain that the file belongs to; 0 if it is not bound to a chain. */
  readonly genesisHash: Felt;
  readonly state: JournalState;
  /** 0 to 255. */
  readonly attempt: number;
  readonly hash: Felt;
  /** UTF-8; empty unless the state is {@link DIED}. */
  readonly cause: Uint8Array;
}

/** State byte of the journal of executions: nothing is being executed. */
export const IDLE = 0;
/** State byte of the journal of executions: a transaction or a block is being executed. */
export const RUNNING = 1;
/** State byte of the journal of executions: the last execution killed the executor. */
export const DIED = 2;

/** State of the recorded execution. */
export type JournalState = typeof IDLE | typeof RUNNING | typeof DIED;

/** Maximum length of a cause in bytes; longer ones are truncated. */
export const MAX_CAUSE_BYTES = 2_000;

/** Journal without a record. */
export const EMPTY_JOURNAL: JournalContent = {
  genesisHash: 0n,
  state: IDLE,
  attempt: 0,
  hash: 0n,
  cause: new Uint8Array(),
};

/*
 * File format. Header: MAGIC, the genesis hash, and CRC-32 of both. At RECORD_AT the record: state, attempt,
 * hash, length of the cause (2 bytes), CRC-32 of all these and the cause, then the cause. Integers are
 * big-endian. Bytes after the cause are leftovers of a longer one. Header and record are written separately.
 */
const MAGIC = new TextEncoder().encode("appjrnl2");
const HEADER_SUM_AT = MAGIC.length + FELT_BYTES;
const SUM_BYTES = 4;
const LENGTH_AT = 2 + FELT_BYTES;
const RECORD_SUM_AT = LENGTH_AT + 2;
const RECORD_BYTES = RECORD_SUM_AT + SUM_BYTES;

/** Offset, in bytes, of the record in a journal file; the header precedes it. */
export const RECORD_AT: number = HEADER_SUM_AT + SUM_BYTES;
/** Maximum size of a journal in bytes. */
export const MAX_JOURNAL_BYTES: number = RECORD_AT + RECORD_BYTES + MAX_CAUSE_BYTES;

/** Files of older versions start with state, attempt and hash; the cause extends to the end of the file. */
const OLD_CAUSE_AT = 2 + FELT_BYTES;

/** Encodes the header of a journal. */
export function encodeJournalHeader(genesisHash: Felt): Uint8Array {
  const bytes = new Uint8Array(RECORD_AT);
  bytes.set(MAGIC);
  bytes.set(bytesFromFelt(genesisHash), MAGIC.length);
  viewOf(bytes).setUint32(HEADER_SUM_AT, Bun.hash.crc32(bytes.subarray(0, HEADER_SUM_AT)));
  return bytes;
}

/** Encodes the record of a journal, which is stored at {@link RECORD_AT}. */
export function encodeJournalRecord(content: Omit<JournalContent, "genesisHash">): Uint8Array {
  const { state, attempt, hash, cause } = content;
  const bytes = new Uint8Array(RECORD_BYTES + cause.length);
  bytes[0] = state;
  bytes[1] = attempt;
  bytes.set(bytesFromFelt(hash), 2);
  bytes.set(cause, RECORD_BYTES);
  const view = viewOf(bytes);
  view.setUint16(LENGTH_AT, cause.length);
  view.setUint32(RECORD_SUM_AT, recordSum(bytes, cause));
  return bytes;
}

/**
 * Decodes a journal of this version or an older one.
 *
 * @param path - path of the file, for the error message
 * @returns `undefined` for an empty file
 * @throws {StorageError} STORAGE_DAMAGED when it is not a journal, or is truncated or corrupted
 */
export function decodeJournal(bytes: Uint8Array, path: string): JournalContent | undefined {
  if (bytes.length === 0) return undefined;
  if (!isCurrentForm(bytes)) {
    if ((bytes[0] ?? 0) > DIED || isMagicAfterFirst(bytes)) {
      throw damaged(path, "it does not start with a journal header");
    }
    return decodeOld(bytes);
  }
  const record = bytes.subarray(RECORD_AT);
  const view = viewOf(bytes);
  const causeLength = record.length < RECORD_BYTES ? 0 : view.getUint16(RECORD_AT + LENGTH_AT);
  const expected = RECORD_BYTES + causeLength;
  if (record.length < expected) {
    throw damaged(path, `it has ${bytes.length} bytes, expected ${RECORD_AT + expected} or more`);
  }
  if (view.getUint32(HEADER_SUM_AT) !== Bun.hash.crc32(bytes.subarray(0, HEADER_SUM_AT))) {
    throw damaged(path, "the checksum of its header does not match");
  }
  const cause = record.slice(RECORD_BYTES, expected);
  if (view.getUint32(RECORD_AT + RECORD_SUM_AT) !== recordSum(record, cause)) {
    throw damaged(path, "the checksum of its record does not match");
  }
  return {
    genesisHash: feltFromBytes(bytes.subarray(MAGIC.length, HEADER_SUM_AT)),
    ...fieldsOf(record),
    cause,
  };
}

function decodeOld(bytes: Uint8Array): JournalContent {
  // The process was killed while it created the file.
  if (bytes.length < OLD_CAUSE_AT) return EMPTY_JOURNAL;
  const fields = fieldsOf(bytes);
  // Trailing zeros come from a power loss while the file grew.
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
  const cause = fields.state === DIED ? bytes.slice(OLD_CAUSE_AT, end) : EMPTY_JOURNAL.cause;
  return { genesisHash: 0n, ...fields, cause: cause.subarray(0, MAX_CAUSE_BYTES) };
}

function fieldsOf(record: Uint8Array): Pick<JournalContent, "state" | "attempt" | "hash"> {
  const [state, attempt = 0] = record;
  return {
    state: state === RUNNING || state === DIED ? state : IDLE,
    attempt,
    hash: feltFromBytes(record.subarray(2, LENGTH_AT)),
  };
}

function recordSum(record: Uint8Array, cause: Uint8Array): number {
  return Bun.hash.crc32(cause, Bun.hash.crc32(record.subarray(0, RECORD_SUM_AT)));
}

/** Whether a journal accepted by {@link decodeJournal} has the current format. */
export function isCurrentForm(bytes: Uint8Array): boolean {
  return bytes[0] === MAGIC[0] && isMagicAfterFirst(bytes);
}

function isMagicAfterFirst(bytes: Uint8Array): boolean {
  return MAGIC.subarray(1).every((byte, i) => bytes[i + 1] === byte);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function damaged(path: string, what: string): StorageError {
  return new StorageError(
    "STORAGE_DAMAGED",
    `${path} is damaged: ${what}. It names what was being executed when the node stopped; move it away to start without that.`,
    { meta: { path } },
  );
}

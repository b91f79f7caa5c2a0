import { StorageError } from "#base/errors/index.ts";
import { bytesFromFelt, type Felt, FELT_BYTES, feltFromBytes } from "#base/primitives/index.ts";

/** What a journal file says. */
export interface JournalContent {
  /** Hash of the first block of the chain that the file belongs to; 0: it belongs to none yet. */
  readonly genesisHash: Felt;
  readonly state: JournalState;
  /** 0 to 255. */
  readonly attempt: number;
  readonly hash: Felt;
  /** UTF-8; empty unless the state is {@link DIED}. */
  readonly cause: Uint8Array;
}

/** Nothing is executed. */
export const IDLE = 0;
/** A transaction, or a block, is executed. */
export const RUNNING = 1;
/** What was executed ended the executor. */
export const DIED = 2;

/** What a journal says of an execution. */
export type JournalState = typeof IDLE | typeof RUNNING | typeof DIED;

/** Most bytes of a cause; longer ones are cut. */
export const MAX_CAUSE_BYTES = 2_000;

/** A journal that says nothing. */
export const EMPTY_JOURNAL: JournalContent = {
  genesisHash: 0n,
  state: IDLE,
  attempt: 0,
  hash: 0n,
  cause: new Uint8Array(),
};

/*
 * The file: a header of MAGIC, the genesis hash, and CRC-32 of both; then at RECORD_AT the record: state,
 * attempt, hash, length of the cause (2 bytes), CRC-32 of all that and the cause, and the cause. Integers are
 * big-endian. What follows the cause is left from a longer one. The header and the record are written apart.
 */
const MAGIC = new TextEncoder().encode("appjrnl2");
const HEADER_SUM_AT = MAGIC.length + FELT_BYTES;
const SUM_BYTES = 4;
const LENGTH_AT = 2 + FELT_BYTES;
const RECORD_SUM_AT = LENGTH_AT + 2;
const RECORD_BYTES = RECORD_SUM_AT + SUM_BYTES;

/** Where the record begins. */
export const RECORD_AT: number = HEADER_SUM_AT + SUM_BYTES;
/** Bytes of the longest journal. */
export const MAX_JOURNAL_BYTES: number = RECORD_AT + RECORD_BYTES + MAX_CAUSE_BYTES;

/** Files of older versions begin with the state, attempt and hash; the cause ends where the file does. */
const OLD_CAUSE_AT = 2 + FELT_BYTES;

/** The header of a journal. */
export function encodeJournalHeader(genesisHash: Felt): Uint8Array {
  const bytes = new Uint8Array(RECORD_AT);
  bytes.set(MAGIC);
  bytes.set(bytesFromFelt(genesisHash), MAGIC.length);
  viewOf(bytes).setUint32(HEADER_SUM_AT, Bun.hash.crc32(bytes.subarray(0, HEADER_SUM_AT)));
  return bytes;
}

/** The record of a journal: what stands at {@link RECORD_AT}. */
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
 * Reads a journal of this version or an older one.
 *
 * @param path - for the message
 * @returns `undefined` for an empty file
 * @throws {StorageError} STORAGE_DAMAGED when it is neither, cut, or changed
 */
export function decodeJournal(bytes: Uint8Array, path: string): JournalContent | undefined {
  if (bytes.length === 0) return undefined;
  if (!isCurrentForm(bytes)) {
    if ((bytes[0] ?? 0) > DIED || isMagicAfterFirst(bytes)) {
      throw damaged(path, "it does not begin as a journal does");
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
    throw damaged(path, "the checksum of its header is another one");
  }
  const cause = record.slice(RECORD_BYTES, expected);
  if (view.getUint32(RECORD_AT + RECORD_SUM_AT) !== recordSum(record, cause)) {
    throw damaged(path, "the checksum of its record is another one");
  }
  return {
    genesisHash: feltFromBytes(bytes.subarray(MAGIC.length, HEADER_SUM_AT)),
    ...fieldsOf(record),
    cause,
  };
}

function decodeOld(bytes: Uint8Array): JournalContent {
  // A kill while such a file was made left it shorter.
  if (bytes.length < OLD_CAUSE_AT) return EMPTY_JOURNAL;
  const fields = fieldsOf(bytes);
  // Zeros behind it are of a loss of power while the file was made longer.
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

/** Whether a journal that {@link decodeJournal} accepted is in the form of this version. */
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

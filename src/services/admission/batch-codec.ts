import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { decodePrevalidated, type PrevalidatedCall } from "#engine/execution/index.ts";
import { decodeReceived, type Received } from "./submission/received.ts";

/** A transaction to be executed, with its validation where admission still has it. */
export interface Candidate {
  readonly transaction: Received;
  readonly prevalidated: PrevalidatedCall | undefined;
}

/** A transaction to be executed, as admission keeps it. */
export interface EncodedCandidate {
  readonly transaction: Uint8Array;
  /** Its validation, while this process has it. */
  readonly prevalidated: Uint8Array | undefined;
}

/** A batch as one piece of memory, which is handed over without a copy. */
export function encodeBatch(candidates: readonly EncodedCandidate[]): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(1024 * (candidates.length + 1));
  writer.array(candidates, (w, { transaction, prevalidated }) => {
    w.bytes(transaction);
    w.bytes(prevalidated ?? NOTHING);
  });
  return writer.finish();
}

/**
 * Reads what {@link encodeBatch} wrote.
 *
 * @throws {DecodeError} when the bytes are not a batch
 */
export function decodeBatch(bytes: Uint8Array): Candidate[] {
  const reader = new ByteReader(bytes, "batch");
  return reader.array((r) => {
    const transaction = decodeReceived(r.bytes());
    const validation = r.bytes();
    const { transaction: fields } = transaction;
    const prevalidated =
      validation.length === 0 || fields.type !== "INVOKE"
        ? undefined
        : decodePrevalidated(validation, fields.calldata);
    return { transaction, prevalidated };
  });
}

const NOTHING = new Uint8Array();

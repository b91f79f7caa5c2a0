import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { decodePrevalidated, type PrevalidatedCall } from "#engine/execution/index.ts";
import type { AccountTransaction, ClassContents, EncodedClass } from "#protocol/chain/index.ts";
import { decodeReceived, type Received } from "./submission/received.ts";

/** A transaction to execute, with its validation result if admission still has it. */
export interface Candidate {
  readonly transaction: Received;
  readonly prevalidated: PrevalidatedCall | undefined;
  /** Accepted with any signature; see {@link EncodedCandidate.isImpersonated}. */
  readonly isImpersonated?: boolean;
  readonly declared?: EncodedClass | undefined;
}

/** A transaction to execute, in encoded form. */
export interface EncodedCandidate {
  readonly transaction: Uint8Array;
  /** Encoded validation result, if this process still has it. */
  readonly prevalidated: Uint8Array | undefined;
  /** Whether its sender is impersonated on a development chain and not validated (default false). */
  readonly isImpersonated?: boolean;
  /** Class of a declaration; its hash is in the transaction. */
  readonly declared?: ClassContents | undefined;
}

/** Encodes a batch into one buffer, which can be transferred without a copy. */
export function encodeBatch(candidates: readonly EncodedCandidate[]): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(1024 * (candidates.length + 1));
  writer.array(candidates, (w, { transaction, prevalidated, isImpersonated = false, declared }) => {
    w.bytes(transaction);
    w.bytes(prevalidated ?? NOTHING);
    w.bool(isImpersonated);
    w.nullable(declared ?? null, writeDeclared);
  });
  return writer.finish();
}

/**
 * Decodes the output of {@link encodeBatch}.
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
    const isImpersonated = r.bool();
    const declared = r.bool() ? readDeclared(r, fields) : undefined;
    const candidate = { transaction, prevalidated, declared };
    return isImpersonated ? { ...candidate, isImpersonated } : candidate;
  });
}

function writeDeclared(writer: ByteWriter, declared: ClassContents): void {
  writer.bytes(declared.contractClass);
  writer.nullable(declared.casmJson, (w, json) => w.text(json));
}

function readDeclared(reader: ByteReader, transaction: AccountTransaction): EncodedClass {
  if (transaction.type !== "DECLARE") reader.fail("no class but with a declaration", reader.offset);
  return {
    classHash: transaction.classHash,
    contractClass: reader.bytes(),
    casmJson: reader.nullable((r) => r.text()),
  };
}

const NOTHING = new Uint8Array();

import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { BlockHeader, SealedBlock } from "../block.ts";
import type { BundledClass, EncodedClass } from "./bundled-class.ts";
import { readContractClass } from "./class.ts";
import { type BlockInputs, readBlockInputs, readHeader } from "./header.ts";
import { readReceipt } from "./receipt.ts";
import { readStateDiff } from "./state-diff.ts";
import { readTransaction } from "./transaction.ts";

/** First byte of every bundle; changes with the layout. */
export const BUNDLE_VERSION = 1;

/**
 * Maximum items of all lists of a bundle together: calldata, events, changes, Sierra programs. The block
 * limits of every protocol version are far below.
 */
export const MAX_BUNDLE_ITEMS = 4_000_000;

/**
 * Complete block: the data that others verify and store, and the inputs to rebuild it. `epoch` counts changes
 * of the sequencer, from 0.
 */
export interface BlockBundle {
  readonly block: SealedBlock;
  readonly epoch: number;
  /** Classes first declared in this block, by ascending hash; hashes are unique. */
  readonly classes: readonly BundledClass[];
  readonly inputs: BlockInputs;
}

/** Bundle whose parts are already encoded, as storage keeps them. */
export interface BundleParts {
  readonly header: Uint8Array;
  readonly signature: { readonly r: Felt; readonly s: Felt };
  readonly epoch: number;
  readonly inputs: Uint8Array;
  readonly transactions: readonly Uint8Array[];
  readonly receipts: readonly Uint8Array[];
  readonly stateDiff: Uint8Array;
  /** By ascending hash. */
  readonly classes: readonly EncodedClass[];
}

/**
 * Returns the canonical bytes of a block from encoded parts. The caller passes the classes by ascending hash;
 * this function sorts nothing.
 *
 * Layout: version byte, header, signature (r, s), epoch, inputs, transactions, receipts, state diff, classes.
 */
export function bundleFromParts(parts: BundleParts): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(64 * 1024);
  writer.u8(BUNDLE_VERSION);
  writer.raw(parts.header);
  writer.felt(parts.signature.r);
  writer.felt(parts.signature.s);
  writer.varint(parts.epoch);
  writer.raw(parts.inputs);
  writer.array(parts.transactions, (w, bytes) => w.raw(bytes));
  writer.array(parts.receipts, (w, bytes) => w.raw(bytes));
  writer.raw(parts.stateDiff);
  writer.array(parts.classes, (w, declared) => {
    w.felt(declared.classHash);
    w.raw(declared.contractClass);
    w.nullable(declared.casmJson, (v, json) => v.text(json));
  });
  return writer.finish();
}

/**
 * Decodes a bundle. Checks its form only, no hash and no signature.
 *
 * @throws {DecodeError} for another version; for data that is truncated, trailing, out of range or not
 *   canonical; for more than {@link MAX_BUNDLE_ITEMS} items; when receipts and transactions differ in number
 */
export function decodeBundle(bytes: Uint8Array): BlockBundle {
  const reader = openBundle(bytes);
  const body = readBody(reader);
  const classes = readClasses(reader, readBundledClass);
  reader.end();
  return { ...body, classes };
}

/** Bundle decoded from received bytes, with the received encoding of its parts. */
export interface ReceivedBundle extends Omit<BlockBundle, "classes"> {
  readonly classes: readonly ReceivedClass[];
  /** Bytes of the bundle with an empty class list; the classes are its last part. */
  readonly withoutClasses: Uint8Array<ArrayBuffer>;
}

/** Class of a received bundle, with the bytes that encode its definition. */
export interface ReceivedClass extends BundledClass {
  /** Same bytes as `encodeContractClass` returns. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * {@link decodeBundle} for callers that forward encoded parts; none has to be encoded again.
 *
 * @throws {DecodeError} as {@link decodeBundle}
 */
export function decodeReceivedBundle(bytes: Uint8Array<ArrayBuffer>): ReceivedBundle {
  const reader = openBundle(bytes);
  const body = readBody(reader);
  const { offset } = reader;
  const classes = readClasses(reader, readArrivedClass);
  reader.end();
  if (classes.length === 0) return { ...body, classes, withoutClasses: bytes };
  // An empty list is encoded as one byte 0.
  const withoutClasses = new Uint8Array(offset + 1);
  withoutClasses.set(bytes.subarray(0, offset));
  return { ...body, classes, withoutClasses };
}

/**
 * Reads only the header of a bundle: the rest may have another layout in blocks of a newer protocol.
 *
 * @throws {DecodeError} for another bundle version or an invalid header
 */
export function headerOfBundle(bytes: Uint8Array): BlockHeader {
  return readHeader(openBundle(bytes));
}

function openBundle(bytes: Uint8Array): ByteReader {
  const reader = new ByteReader(bytes, "bundle", MAX_BUNDLE_ITEMS);
  if (reader.u8() !== BUNDLE_VERSION) reader.fail(`bundle version ${BUNDLE_VERSION}`, 0);
  return reader;
}

function readBody(reader: ByteReader): Omit<BlockBundle, "classes"> {
  const header = readHeader(reader);
  const signature = { r: reader.felt(), s: reader.felt() };
  const epoch = reader.varint();
  const inputs = readBlockInputs(reader);
  const transactions = reader.array(readTransaction);
  const at = reader.offset;
  const receipts = reader.array(readReceipt);
  if (receipts.length !== transactions.length) reader.fail("one receipt per transaction", at);
  const stateDiff = readStateDiff(reader);
  return { block: { header, signature, transactions, receipts, stateDiff }, epoch, inputs };
}

function readClasses<T extends { readonly classHash: Felt }>(
  reader: ByteReader,
  read: (reader: ByteReader) => T,
): T[] {
  let previous = -1n;
  return reader.array((r) => {
    const start = r.offset;
    const declared = read(r);
    if (declared.classHash <= previous) r.fail("classes by ascending hash", start);
    previous = declared.classHash;
    return declared;
  });
}

function readBundledClass(reader: ByteReader): BundledClass {
  return {
    classHash: reader.felt(),
    contractClass: readContractClass(reader),
    casmJson: reader.nullable((r) => r.text()),
  };
}

function readArrivedClass(reader: ByteReader): ReceivedClass {
  const classHash = reader.felt();
  const start = reader.offset;
  const contractClass = readContractClass(reader);
  // A copy, so that it does not retain the whole bundle.
  const bytes = new Uint8Array(reader.since(start));
  return { classHash, contractClass, bytes, casmJson: reader.nullable((r) => r.text()) };
}

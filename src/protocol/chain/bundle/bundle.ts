import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { BlockHeader, SealedBlock } from "../block.ts";
import type { BundledClass, EncodedClass } from "./bundled-class.ts";
import { readContractClass } from "./class.ts";
import { type BlockInputs, readBlockInputs, readHeader } from "./header.ts";
import { readReceipt } from "./receipt.ts";
import { readStateDiff } from "./state-diff.ts";
import { readTransaction } from "./transaction.ts";

/** First byte of every bundle; it changes with the layout. */
export const BUNDLE_VERSION = 1;

/**
 * Most items of all lists of a bundle together: calldata, events, changes, Sierra programs. The block
 * limits of every protocol version are far below.
 */
export const MAX_BUNDLE_ITEMS = 4_000_000;

/**
 * All there is to know about a block: what others verify and store, and the inputs from which it can
 * be built again. `epoch` counts the changes of the sequencer, from 0.
 */
export interface BlockBundle {
  readonly block: SealedBlock;
  readonly epoch: number;
  /** Classes first declared in this block, by ascending hash; one per hash. */
  readonly classes: readonly BundledClass[];
  readonly inputs: BlockInputs;
}

/** A bundle whose parts are encoded already, as storage keeps them. */
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
 * The canonical bytes of a block, from parts that are encoded already. Classes are sorted; other orders are
 * part of the block.
 *
 * Layout: version byte, header, signature (r, s), epoch, inputs, transactions, receipts, state diff,
 * classes.
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
 * Reads a bundle. Only its form is checked, no hash and no signature.
 *
 * @throws {DecodeError} for another version, data that is cut, left over, out of range or not in its
 *   canonical form, for more than {@link MAX_BUNDLE_ITEMS}, and when there is not one receipt per
 *   transaction
 */
export function decodeBundle(bytes: Uint8Array): BlockBundle {
  const reader = openBundle(bytes);
  const body = readBody(reader);
  const classes = readClasses(reader, readBundledClass);
  reader.end();
  return { ...body, classes };
}

/** A bundle as it travels, read: what is in it, and what of it is kept as it came. */
export interface ArrivedBundle extends Omit<BlockBundle, "classes"> {
  readonly classes: readonly ArrivedClass[];
  /** The bundle without its classes, which are behind all else. */
  readonly withoutClasses: Uint8Array<ArrayBuffer>;
}

/** A class that came with a bundle, with the bytes that its definition was read from. */
export interface ArrivedClass extends BundledClass {
  /** As `encodeContractClass` makes them. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * As {@link decodeBundle}, for whoever hands the parts on encoded: none has to be encoded again.
 *
 * @throws {DecodeError} as {@link decodeBundle}
 */
export function decodeArrivedBundle(bytes: Uint8Array<ArrayBuffer>): ArrivedBundle {
  const reader = openBundle(bytes);
  const body = readBody(reader);
  const { offset } = reader;
  const classes = readClasses(reader, readArrivedClass);
  reader.end();
  if (classes.length === 0) return { ...body, classes, withoutClasses: bytes };
  // The count of no classes is one byte 0.
  const withoutClasses = new Uint8Array(offset + 1);
  withoutClasses.set(bytes.subarray(0, offset));
  return { ...body, classes, withoutClasses };
}

/**
 * Reads the header of a bundle, and nothing behind it: blocks of a newer protocol may have other parts
 * there.
 *
 * @throws {DecodeError} for another version of bundles, and when there is no header
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

function readArrivedClass(reader: ByteReader): ArrivedClass {
  const classHash = reader.felt();
  const start = reader.offset;
  const contractClass = readContractClass(reader);
  // Of its own: the bundle's bytes are not kept for it.
  const bytes = new Uint8Array(reader.since(start));
  return { classHash, contractClass, bytes, casmJson: reader.nullable((r) => r.text()) };
}

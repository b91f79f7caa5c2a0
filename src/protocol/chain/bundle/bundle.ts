import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { SealedBlock } from "../block.ts";
import type { BundledClass, EncodedClass } from "./bundled-class.ts";
import { readContractClass } from "./class.ts";
import { type BlockInputs, readBlockInputs, readHeader } from "./header.ts";
import { readReceipt } from "./receipt.ts";
import { readStateDiff } from "./state-diff.ts";
import { readTransaction } from "./transaction.ts";

/** First byte of every bundle; it changes with the layout. */
export const BUNDLE_VERSION = 1;

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
 *   canonical form, and when there is not one receipt per transaction
 */
export function decodeBundle(bytes: Uint8Array): BlockBundle {
  const reader = new ByteReader(bytes, "bundle");
  if (reader.u8() !== BUNDLE_VERSION) reader.fail(`bundle version ${BUNDLE_VERSION}`, 0);
  const header = readHeader(reader);
  const signature = { r: reader.felt(), s: reader.felt() };
  const epoch = reader.varint();
  const inputs = readBlockInputs(reader);
  const transactions = reader.array(readTransaction);
  const at = reader.offset;
  const receipts = reader.array(readReceipt);
  if (receipts.length !== transactions.length) reader.fail("one receipt per transaction", at);
  const stateDiff = readStateDiff(reader);
  let previous = -1n;
  const classes = reader.array((r) => {
    const start = r.offset;
    const declared = readBundledClass(r);
    if (declared.classHash <= previous) r.fail("classes by ascending hash", start);
    previous = declared.classHash;
    return declared;
  });
  reader.end();
  return {
    block: { header, signature, transactions, receipts, stateDiff },
    epoch,
    classes,
    inputs,
  };
}

function readBundledClass(reader: ByteReader): BundledClass {
  return {
    classHash: reader.felt(),
    contractClass: readContractClass(reader),
    casmJson: reader.nullable((r) => r.text()),
  };
}

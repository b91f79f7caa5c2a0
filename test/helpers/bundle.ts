import { ByteWriter } from "#base/codec/index.ts";
import { compareFelts } from "#base/primitives/index.ts";
import { type BlockBundle, BUNDLE_VERSION } from "#protocol/chain/bundle/bundle.ts";
import { writeContractClass } from "#protocol/chain/bundle/class.ts";
import { writeBlockInputs, writeHeader } from "#protocol/chain/bundle/header.ts";
import { writeReceipt } from "#protocol/chain/bundle/receipt.ts";
import { writeStateDiff } from "#protocol/chain/bundle/state-diff.ts";
import { writeTransaction } from "#protocol/chain/bundle/transaction.ts";

/** Encodes a decoded bundle, as `bundleFromParts` encodes a block. */
export function encodeBundle(bundle: BlockBundle): Uint8Array<ArrayBuffer> {
  const { block } = bundle;
  const writer = new ByteWriter(64 * 1024);
  writer.u8(BUNDLE_VERSION);
  writeHeader(writer, block.header);
  writer.felt(block.signature.r);
  writer.felt(block.signature.s);
  writer.varint(bundle.epoch);
  writeBlockInputs(writer, bundle.inputs);
  writer.array(block.transactions, writeTransaction);
  writer.array(block.receipts, writeReceipt);
  writeStateDiff(writer, block.stateDiff);
  const classes = [...bundle.classes].sort((a, b) => compareFelts(a.classHash, b.classHash));
  writer.array(classes, (w, declared) => {
    w.felt(declared.classHash);
    writeContractClass(w, declared.contractClass);
    w.nullable(declared.casmJson, (v, json) => v.text(json));
  });
  return writer.finish();
}

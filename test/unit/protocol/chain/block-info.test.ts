import { expect, test } from "bun:test";
import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { type BlockInfo, readBlockInfo, writeBlockInfo } from "#protocol/chain/index.ts";

const price = { wei: 1n, fri: 2n };

// Stored headers contain these numbers: changing them would change the mode of every stored
// block.
test.each([
  ["BLOB", 0],
  ["CALLDATA", 1],
] as const)("data availability mode %s is stored as %d, before the version", (l1DaMode, stored) => {
  const info: BlockInfo = {
    number: 1,
    timestamp: 2,
    sequencerAddress: 3n,
    gasPrices: { l1Gas: price, l1DataGas: price, l2Gas: price },
    l1DaMode,
    protocolVersion: "0.14.4",
  };
  const writer = new ByteWriter();
  writeBlockInfo(writer, info);
  const bytes = writer.finish();
  const version = new ByteWriter();
  version.text(info.protocolVersion);
  expect(bytes.at(-1 - version.finish().length)).toBe(stored);
  expect(readBlockInfo(new ByteReader(bytes, "info"))).toEqual(info);
});

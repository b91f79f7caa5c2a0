import { describe, expect, test } from "bun:test";
import {
  blockHash,
  blockSignatureMessage,
  concatenatedCounts,
  firstEraBlockHash,
  signBlock,
  type UnhashedHeader,
  verifyBlockSignature,
} from "#protocol/chain/index.ts";
import { publicKey } from "#protocol/crypto/index.ts";
import { feltFromShortString } from "#base/primitives/index.ts";

const price = (wei: bigint, fri: bigint) => ({ wei, fri });

/**
 * Header of starkware-libs/sequencer, block_hash_calculator_test.rs; commitments of pathfinder.
 */
const SEQUENCER_HEADER: UnhashedHeader = {
  number: 1,
  newRoot: 2n,
  sequencerAddress: 3n,
  timestamp: 4,
  l1DaMode: "BLOB",
  gasPrices: { l1Gas: price(7n, 6n), l1DataGas: price(9n, 10n), l2Gas: price(12n, 11n) },
  protocolVersion: "0.13.2",
  parentHash: 11n,
  transactionCommitment: 0x72f432efa51e2a34f68404ac5e77514301e26eb53ec89badd8173f4e8561b95n,
  transactionCount: 1,
  eventCommitment: 0n,
  eventCount: 0,
  stateDiffCommitment: 0x281f5966e49ad7dad9323826d53d1d27c0c4e6ebe5525e2e2fbca549bfa0a67n,
  stateDiffLength: 10,
  receiptCommitment: 0x8e7dfb2772c2ac26e712fb97404355d66db0ba9555f0f64f30d61a56df9c76n,
};

/** Header of madara, mp_block/src/header.rs. */
const MADARA_HEADER: UnhashedHeader = {
  parentHash: 1n,
  number: 2,
  newRoot: 3n,
  sequencerAddress: 4n,
  timestamp: 5,
  transactionCount: 6,
  transactionCommitment: 7n,
  eventCount: 8,
  eventCommitment: 9n,
  stateDiffLength: 10,
  stateDiffCommitment: 11n,
  receiptCommitment: 12n,
  protocolVersion: "0.13.2",
  gasPrices: { l1Gas: price(14n, 15n), l1DataGas: price(16n, 17n), l2Gas: price(0n, 0n) },
  l1DaMode: "BLOB",
};

describe("blockHash", () => {
  test("of 0.13.2 (sequencer)", () => {
    expect(blockHash(SEQUENCER_HEADER)).toBe(
      0xe248d6ce583f8fa48d1d401d4beb9ceced3733e38d8eacb0d8d3669a7d901cn,
    );
  });
  test("of 0.13.4 hashes all gas prices into one (sequencer)", () => {
    expect(blockHash({ ...SEQUENCER_HEADER, protocolVersion: "0.13.4" })).toBe(
      0x3d6174623c812f5dc03fa3faa07c42c06fd90ad425629ee5f39e149df65c3can,
    );
  });
  test("of 0.13.2 (madara)", () => {
    expect(blockHash(MADARA_HEADER)).toBe(
      0x545dd9ef652b07cebb3c8b6d43b6c477998f124e75df970dfee300fb32a698bn,
    );
  });
  test("of 0.11.1 covers fewer fields, with Pedersen (madara)", () => {
    expect(blockHash({ ...MADARA_HEADER, protocolVersion: "0.11.1" })).toBe(
      0x42ec5792c165e0235d7576dc9b4a56140b217faba0b2f57c0a48b850ea5999cn,
    );
  });
  test("of the first era covers the chain id (madara)", () => {
    const header = { ...MADARA_HEADER, protocolVersion: "" };
    expect(firstEraBlockHash(header, feltFromShortString("SN_MAIN"))).toBe(
      0x6028bf0975e1d4c95713e021a0f0217e74d5a748a20691d881c86d9d62d1432n,
    );
  });
  test("ignores L2 gas prices before 0.13.4", () => {
    const gasPrices = { ...SEQUENCER_HEADER.gasPrices, l2Gas: price(1n, 2n) };
    expect(blockHash({ ...SEQUENCER_HEADER, gasPrices })).toBe(blockHash(SEQUENCER_HEADER));
  });
});

test("concatenatedCounts packs counts from the top, with the data availability bit", () => {
  const counts = { transactionCount: 4, eventCount: 3, stateDiffLength: 2 };
  expect(concatenatedCounts(counts, "BLOB")).toBe(
    0x0000000000000004000000000000000300000000000000028000000000000000n,
  );
});

describe("block signatures", () => {
  const header = { hash: 0x1234n, stateDiffCommitment: 0x5678n, protocolVersion: "0.13.2" };
  test("verify the signed block", () => {
    expect(verifyBlockSignature(publicKey(7n), header, signBlock(7n, header))).toBe(true);
  });
  test("do not verify another block hash", () => {
    const other = { ...header, hash: 0x1235n };
    expect(verifyBlockSignature(publicKey(7n), other, signBlock(7n, header))).toBe(false);
  });
  test("cover the state diff commitment before 0.13.2", () => {
    expect(blockSignatureMessage({ ...header, protocolVersion: "0.13.1" })).not.toBe(header.hash);
  });
  // Source: pathfinder, crates/common/src/signature.rs.
  test("verify mainnet block 635000 by the rule before 0.13.2", () => {
    const block = {
      hash: 0x164685e53f274ecb60a3941303a6ee913aeb9016fbca5ba65c1cb8bdaee17a0n,
      stateDiffCommitment: 0x620efa2bd1149abe485486efa35c29571b4883f9f54a7f4938389276b0579ffn,
      protocolVersion: "0.13.1",
    };
    const key = 0x48253ff2c3bed7af18bde0b611b083b39445959102d4947c51c4db6aa4f4e58n;
    const r = 0x222679bdc9007386f5c2de62e89839b442799f356b24657af77e2a8aa87e74dn;
    const s = 0x16c9d0bab74fe4f268705559e16ebb36a5326e75c6a580e6ad3194fb9a0b1edn;
    expect(verifyBlockSignature(key, block, { r, s })).toBe(true);
  });
  test("verify integration block 35747 (0.13.1.1) by the later rule", () => {
    const block = {
      hash: 0x77140bef51bbb4d1932f17cc5081825ff18465a1df4440ca0429a4fa80f1dc5n,
      stateDiffCommitment: 0n,
      protocolVersion: "0.13.1.1",
    };
    const key = 0x4e4856eb36dbd5f4a7dca29f7bb5232974ef1fb7eb5b597c58077174c294da1n;
    const r = 0x44b4fef018bb755107ed0caab714f628c0804b2a8787664c5210e607aed3004n;
    const s = 0x2ea6ecf5d11f0eba14e867c8d771ab958b55e45ded7ce93a1fe78045593f22bn;
    expect(verifyBlockSignature(key, block, { r, s })).toBe(true);
  });
});

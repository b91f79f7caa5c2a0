import { describe, expect, test } from "bun:test";
import { decodeBundle, encodeReceipt, l1MessageHash } from "#protocol/chain/index.ts";
import { NEWEST_PROTOCOL_VERSION } from "#protocol/versions/index.ts";
import {
  type BlockCheckOutcome,
  type BlockCheckRequest,
  createBlockVerifier,
} from "#services/sync/index.ts";
import { readGatewayWholeBlock } from "#io/feeder/index.ts";
import type { JsonValue } from "#base/codec/index.ts";
import {
  bytesOf,
  NETWORK_BLOCKS,
  ownBlock,
  type SampleBlock,
} from "#test/helpers/gateway-blocks.ts";
import { fixtureTest } from "#test/helpers/shared.ts";

const blockTest = fixtureTest("gateway-blocks");

function check(
  block: SampleBlock,
  parts: Partial<BlockCheckRequest> = {},
): Promise<BlockCheckOutcome> {
  const { chainId, number: blockNumber, publicKey } = block;
  const text = bytesOf(block.json());
  return createBlockVerifier({ chainId, newestVersion: NEWEST_PROTOCOL_VERSION }).checkBlock({
    blockNumber,
    text,
    signatureText: undefined,
    publicKey,
    ...parts,
  });
}

async function checked(block: SampleBlock) {
  const outcome = await check(block);
  if (outcome.kind !== "checked") throw new TypeError(JSON.stringify(outcome));
  return outcome;
}

describe("blocks of every era are taken", () => {
  for (const block of NETWORK_BLOCKS) {
    blockTest(block.name, async () => {
      const { number, hash, isOnL1, bundle } = await checked(block);
      const told = readGatewayWholeBlock(block.json() as JsonValue).block;
      expect([number, hash, isOnL1]).toEqual([block.number, told.header.hash, true]);
      const decoded = decodeBundle(bundle).block;
      expect(decoded.header).toMatchObject({ hash, newRoot: told.header.newRoot });
      expect(decoded.transactions.map((each) => each.hash)).toEqual(
        told.transactions.map((each) => each.hash),
      );
      expect(decoded.receipts.map(encodeReceipt)).toEqual(told.receipts.map(encodeReceipt));
    });
  }

  for (const version of ["0.13.0", "0.13.1", "0.13.2", "0.13.4", "0.14.0", "0.14.2", "0.14.4"]) {
    test(`one of our own of ${version}`, async () => {
      const block = ownBlock(version);
      const { protocolVersion, parentHash, timestamp, isOnL1 } = await checked(block);
      expect({ protocolVersion, parentHash, timestamp, isOnL1 }).toEqual({
        protocolVersion: version,
        parentHash: 0x76n,
        timestamp: 1_700_000_000,
        isOnL1: false,
      });
    });
  }
});

describe("a block that is taken", () => {
  test("has all that was told of it in its bundle, and what was consumed from L1", async () => {
    const block = ownBlock("0.14.4");
    const { bundle } = await checked(block);
    const told = readGatewayWholeBlock(block.json() as JsonValue);
    const decoded = decodeBundle(bundle);
    expect(decoded.block.stateDiff).toEqual(told.update.stateDiff);
    expect(decoded.block.signature).toEqual(told.signature ?? { r: 0n, s: 0n });
    expect([decoded.epoch, decoded.classes]).toEqual([0, []]);
    const [handler] = decoded.block.transactions.filter(
      (each) => each.transaction.type === "L1_HANDLER",
    );
    if (handler?.transaction.type !== "L1_HANDLER") throw new TypeError("there is no L1 handler");
    expect(decoded.inputs.l1Messages).toEqual([
      {
        transactionHash: handler.hash,
        nonce: 5n,
        messageHash: l1MessageHash(handler.transaction),
        l1TransactionHash: null,
        l1BlockNumber: null,
      },
    ]);
  });

  test("names each class that it declares or gives to a contract, once", async () => {
    const { classes } = await checked(ownBlock("0.14.4"));
    expect(classes).toEqual([
      { classHash: 0x51e77an, compiledClassHash: 0xca5n, migratedHash: null },
      { classHash: 0x1e6acn, compiledClassHash: null, migratedHash: null },
      { classHash: 0x51e77bn, compiledClassHash: null, migratedHash: null },
    ]);
  });
});

describe("a block without signature", () => {
  const block = ownBlock("0.14.4");
  const { signature, ...bare } = block.json();
  const text = bytesOf(bare);
  const signatureText = (hash: unknown) => bytesOf({ block_hash: hash, signature });
  const hash = (bare["block"] as { block_hash: string }).block_hash;

  test("asks for one", async () => {
    expect(await check(block, { text })).toEqual({ kind: "needsSignature" });
  });

  test("is taken with that of get_signature", async () => {
    const outcome = await check(block, { text, signatureText: signatureText(hash) });
    expect(outcome.kind).toBe("checked");
  });

  test("is refused with that of another block", async () => {
    const outcome = await check(block, { text, signatureText: signatureText("0x5") });
    expect(outcome).toMatchObject({
      refusal: {
        check: "signature",
        message: `block_hash of the signature: expected ${hash}, found 0x5`,
      },
    });
  });

  test("is refused with what is no signature", async () => {
    const outcome = await check(block, { text, signatureText: bytesOf({ block_hash: hash }) });
    expect(outcome).toMatchObject({ refusal: { check: "form" } });
  });
});

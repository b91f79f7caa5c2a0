import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { transactions as anyTransaction } from "#test/helpers/arbitraries.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { feltFromShortString } from "#base/primitives/index.ts";
import { EVERY_TRANSACTION } from "#test/helpers/sample-chain.ts";
import {
  decodeBundle,
  encodeReceipt,
  l1MessageHash,
  type Transaction,
} from "#protocol/chain/index.ts";
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

describe("blocks of every era are accepted", () => {
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

describe("an accepted block", () => {
  test("is bundled with all its data and the messages consumed from L1", async () => {
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

  test("names the migrated hash of a class in addition to the declared one", async () => {
    const stateDiff = { migratedCompiledClasses: new Map([[0x51e77an, 0xb1a4en]]) };
    const { classes } = await checked(ownBlock("0.14.4", { stateDiff }));
    expect(classes[0]).toEqual({
      classHash: 0x51e77an,
      compiledClassHash: 0xca5n,
      migratedHash: 0xb1a4en,
    });
  });

  test("names each class that it declares or deploys, once", async () => {
    const { classes } = await checked(ownBlock("0.14.4"));
    expect(classes).toEqual([
      { classHash: 0x51e77an, compiledClassHash: 0xca5n, migratedHash: null },
      { classHash: 0x1e6acn, compiledClassHash: null, migratedHash: null },
      { classHash: 0x51e77bn, compiledClassHash: null, migratedHash: null },
    ]);
  });
});

describe("messages from L1", () => {
  const handler = EVERY_TRANSACTION.filter((each) => each.type === "L1_HANDLER");
  const twice = handler.flatMap((each) => [each, { ...each, calldata: [0xe7n, 8n] }]);

  test("are refused if a block consumes one nonce twice", async () => {
    expect(await check(ownBlock("0.14.4", { transactions: twice }))).toMatchObject({
      refusal: { check: "transaction_hash", message: expect.stringContaining("transaction 1") },
    });
    // Also below 1471, on chains other than mainnet.
    const other = ownBlock("0.13.0", { transactions: twice, number: 5 });
    expect((await check(other)).kind).toBe("refused");
  });

  test("of mainnet's first blocks have no nonces, and the first one is kept", async () => {
    const chainId = feltFromShortString("SN_MAIN");
    const block = ownBlock("0.13.0", { transactions: twice, chainId, number: 1470 });
    const { bundle } = await checked(block);
    const { block: decoded, inputs } = decodeBundle(bundle);
    expect(decoded.transactions.length).toBe(2);
    expect(inputs.l1Messages.map((each) => each.transactionHash)).toEqual([
      decoded.transactions[0]?.hash ?? 0n,
    ]);
    const later = ownBlock("0.13.0", { transactions: twice, chainId, number: 1471 });
    expect((await check(later)).kind).toBe("refused");
  });
});

describe("any block that our chains can produce is accepted", () => {
  for (const version of ["0.13.1", "0.13.2", "0.13.6", "0.14.4"]) {
    test(`transactions of every type with any values, in blocks of ${version}`, async () => {
      const blocks = fc.asyncProperty(fc.array(anyTransaction, { maxLength: 12 }), async (some) => {
        // The nonce of a message from L1 is unique.
        const transactions = some
          .map((each, i) => (each.type === "L1_HANDLER" ? { ...each, nonce: BigInt(i) } : each))
          .map(withAddresses);
        const block = ownBlock(version, { transactions });
        const outcome = await check(block);
        const isTwice = new Set(hashesOf(block)).size < transactions.length;
        expect(outcome.kind).toBe(isTwice ? "refused" : "checked");
      });
      await assertProperty(blocks, { numRuns: 25 });
    });
  }

  /** No contract has an address outside the trie. */
  function withAddresses(transaction: Transaction): Transaction {
    const fitting = (address: bigint): bigint => address % 2n ** 251n;
    return "senderAddress" in transaction
      ? { ...transaction, senderAddress: fitting(transaction.senderAddress) }
      : { ...transaction, contractAddress: fitting(transaction.contractAddress) };
  }

  const hashesOf = (block: SampleBlock): readonly bigint[] =>
    readGatewayWholeBlock(block.json() as JsonValue).block.transactions.map((each) => each.hash);
});

describe("commitments reported as 0", () => {
  const zeros = (block: SampleBlock) => {
    const json = block.json();
    Object.assign(json["block"] as object, {
      transaction_commitment: "0x0",
      event_commitment: "0x0",
    });
    return check(block, { text: bytesOf(json) });
  };

  test("are those of old blocks, and are not compared", async () => {
    expect((await zeros(ownBlock("0.13.1"))).kind).toBe("checked");
  });

  test("are refused from 0.13.2 on", async () => {
    expect(await zeros(ownBlock("0.13.2"))).toMatchObject({
      refusal: { check: "transaction_commitment", message: expect.stringMatching(/found 0x0$/u) },
    });
  });
});

describe("a block without signature", () => {
  const block = ownBlock("0.14.4");
  const { signature, ...bare } = block.json();
  const text = bytesOf(bare);
  const signatureText = (hash: unknown) => bytesOf({ block_hash: hash, signature });
  const hash = (bare["block"] as { block_hash: string }).block_hash;

  test("requests one", async () => {
    expect(await check(block, { text })).toEqual({ kind: "needsSignature" });
  });

  test("is accepted with that of get_signature", async () => {
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

  test("is refused with a malformed signature", async () => {
    const outcome = await check(block, { text, signatureText: bytesOf({ block_hash: hash }) });
    expect(outcome).toMatchObject({ refusal: { check: "form" } });
  });
});

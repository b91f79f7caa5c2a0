import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type EncodedTransaction, encodedTransaction } from "#protocol/chain/index.ts";
import { type ChainWriter, type StoredChainReader } from "#io/storage/index.ts";
import { bundles } from "#test/helpers/arbitraries.ts";
import { blockCommit, noTrieChanges, testBlockHash } from "#test/helpers/blocks.ts";
import { encodeBundle } from "#test/helpers/bundle.ts";
import { assertProperty } from "#test/helpers/property.ts";
import {
  bodyOf,
  type ChainFolder,
  openChainFolder,
  storageErrorOf,
} from "#test/helpers/chain-folder.ts";

let chain: ChainFolder;
let writer: ChainWriter;
let reader: StoredChainReader;

beforeEach(async () => {
  chain = await openChainFolder();
  ({ writer, reader } = chain);
});

afterEach(() => chain[Symbol.dispose]());

describe("ChainReader, for a committed block,", () => {
  test("reads back its bundle with the same content hash", () => {
    assertProperty(
      fc.property(bundles, (bundle) => {
        writer.revertTo(-1);
        const header = { ...bundle.block.header, number: 0 };
        const stored = { ...bundle, block: { ...bundle.block, header } };
        writer.commitBlock({ ...stored, trie: noTrieChanges() });
        expect(reader.bundle(0)).toEqual(stored);
        const bytes = reader.bundleBytes(0) ?? new Uint8Array();
        expect(Buffer.compare(bytes, encodeBundle(stored))).toBe(0);
      }),
      { numRuns: 40 },
    );
  });

  test("reads single transactions and receipts across several rows", () => {
    const body = bodyOf(70);
    writer.commitBlock(blockCommit(0, body));
    for (const [index, transaction] of body.transactions.entries()) {
      const location = { blockNumber: 0, index };
      expect(reader.locate(transaction.hash)).toEqual(location);
      expect(reader.transactionAt(location)).toEqual(transaction);
      expect(reader.receiptAt(location)).toEqual(body.receipts[index]);
    }
    expect(reader.transactionHashes(0)).toEqual(body.transactions.map(({ hash }) => hash));
    expect(reader.receipts(0)).toEqual(body.receipts);
  });

  test("reads transactions and receipts in consecutive portions", () => {
    const body = bodyOf(70);
    writer.commitBlock(blockCommit(0, body));
    for (let index = 0, next = 0; index < 70; index++) {
      const portion = reader.portionAt({ blockNumber: 0, index });
      const { firstIndex = -1, count = 0 } = portion ?? {};
      if (index === next) {
        expect(firstIndex).toBe(index);
        next = firstIndex + count;
      }
      expect(index).toBeLessThan(next);
      expect(portion?.transactionAt(index)).toEqual(body.transactions[index]);
      expect(portion?.receiptAt(index)).toEqual(body.receipts[index]);
      for (const outside of [firstIndex - 1, firstIndex + count]) {
        expect(portion?.transactionAt(outside)).toBeUndefined();
        expect(portion?.receiptAt(outside)).toBeUndefined();
      }
    }
    expect(reader.portionAt({ blockNumber: 0, index: 96 })).toBeUndefined();
    expect(reader.portionAt({ blockNumber: 1, index: 0 })).toBeUndefined();
  });

  test("finds it by number and by hash", () => {
    const commits = [0, 1, 2].map((number) => blockCommit(number));
    for (const commit of commits) writer.commitBlock(commit);
    expect(reader.latestNumber()).toBe(2);
    expect(reader.header(1)).toEqual(commits[1]?.block.header);
    expect(reader.numberByHash(testBlockHash(1))).toBe(1);
    expect(reader.signature(1)).toEqual({ r: 1n, s: 2n });
  });

  test("distinguishes transactions whose hashes share their low bits", () => {
    const [first, second] = bodyOf(2).transactions as [EncodedTransaction, EncodedTransaction];
    const twin = encodedTransaction({ ...second, hash: first.hash + (1n << 200n) });
    const body = { transactions: [first, twin], receipts: bodyOf(2).receipts };
    writer.commitBlock(blockCommit(0, body));
    expect(reader.locate(first.hash)?.index).toBe(0);
    expect(reader.locate(twin.hash)?.index).toBe(1);
    expect(reader.locate(first.hash + (2n << 200n))).toBeUndefined();
  });

  test("reads its consumed L1 messages", () => {
    const message = (nonce: bigint, l1TransactionHash: bigint | null) => ({
      transactionHash: 100n + nonce,
      nonce,
      messageHash: 2n ** 255n,
      l1TransactionHash,
      l1BlockNumber: 5,
    });
    const l1Messages = [
      message(4n, 2n ** 255n + 1n),
      message(3n, 2n ** 255n + 1n),
      message(9n, null),
    ];
    writer.commitBlock(blockCommit(0, { inputs: { l1Messages } }));
    expect(reader.consumedL1Message(4n)).toEqual({ transactionHash: 104n, blockNumber: 0 });
    expect(reader.consumedL1Message(5n)).toBeUndefined();
    expect(reader.messagesOfL1Transaction(2n ** 255n + 1n)).toEqual([
      { transactionHash: 104n, blockNumber: 0 },
      { transactionHash: 103n, blockNumber: 0 },
    ]);
    expect(reader.inputs(0)).toEqual({ l1Messages });
  });

  test("finds the highest consumed nonce and the first block that consumed from a nonce on", () => {
    expect(reader.newestConsumedNonce()).toBeUndefined();
    expect(reader.firstConsumedFrom(0n)).toBeUndefined();
    [[0n, 2n, 3n], [255n, 256n, 300n], [1n]].forEach((nonces, blockNumber) => {
      const l1Messages = nonces.map((nonce) => ({
        transactionHash: 1000n + nonce,
        nonce,
        messageHash: nonce,
        l1TransactionHash: null,
        l1BlockNumber: null,
      }));
      writer.commitBlock(blockCommit(blockNumber, { inputs: { l1Messages } }));
    });
    expect(reader.newestConsumedNonce()).toBe(300n);
    expect(reader.firstConsumedFrom(0n)?.blockNumber).toBe(0);
    expect(reader.firstConsumedFrom(4n)?.blockNumber).toBe(1);
    expect(reader.firstConsumedFrom(257n)).toEqual({ transactionHash: 1300n, blockNumber: 1 });
    expect(reader.firstConsumedFrom(301n)).toBeUndefined();
  });
});

test("unknown blocks, transactions, classes and values are undefined", () => {
  writer.commitBlock(blockCommit(0));
  expect(reader.header(1)).toBeUndefined();
  expect(reader.stateDiff(1)).toBeUndefined();
  expect(reader.transactions(1)).toEqual([]);
  expect(reader.bundle(1)).toBeUndefined();
  expect(reader.transactionAt({ blockNumber: 0, index: 0 })).toBeUndefined();
  expect(reader.declaredClass(1n)).toBeUndefined();
  expect(reader.stateAt(0).executableClass(1n)).toBeUndefined();
  expect(reader.value("x")).toBeUndefined();
  expect(reader.l1AcceptedNumber()).toBeUndefined();
});

function diffWithNonce(address: bigint, nonce: bigint) {
  return {
    storageDiffs: new Map(),
    nonces: new Map([[address, nonce]]),
    deployedContracts: new Map(),
    replacedClasses: new Map(),
    declaredClasses: new Map(),
    deprecatedDeclaredClasses: new Set<bigint>(),
    migratedCompiledClasses: new Map(),
  };
}

describe("commitBlock fails", () => {
  test("when it skips a number", () => {
    expect(storageErrorOf(() => writer.commitBlock(blockCommit(1)))).toBe("STORAGE_WRONG_PARENT");
  });

  test("when the parent is another block", () => {
    writer.commitBlock(blockCommit(0));
    const stranger = blockCommit(1, { fork: 1, parentFork: 2 });
    expect(storageErrorOf(() => writer.commitBlock(stranger))).toBe("STORAGE_WRONG_PARENT");
  });

  test("without a trace when its last part fails", () => {
    const added = [{ id: 1, bytes: Uint8Array.of(1), hash: null }];
    writer.commitBlock(blockCommit(0, { trie: { ...noTrieChanges(1), added } }));
    const body = bodyOf(3);
    const stateDiff = { ...diffWithNonce(77n, 5n) };
    const twice = blockCommit(1, { ...body, stateDiff, trie: { ...noTrieChanges(1), added } });
    expect(storageErrorOf(() => writer.commitBlock(twice))).toBe("STORAGE_FAILED");
    expect(reader.latestNumber()).toBe(0);
    expect(reader.locate(body.transactions[0]?.hash ?? 0n)).toBeUndefined();
    // The contract gets the same id again: the cache must have dropped the one that was rolled
    // back.
    writer.commitBlock(blockCommit(1, { stateDiff, trie: noTrieChanges(1) }));
    expect(reader.stateAt(1).nonceAt(77n)).toBe(5n);
  });
});

test("node values are stored, replaced and removed", () => {
  writer.putValue("state", Uint8Array.of(1));
  writer.putValue("state", Uint8Array.of(2));
  expect(reader.value("state")).toEqual(Uint8Array.of(2));
  writer.putValue("state", undefined);
  expect(reader.value("state")).toBeUndefined();
});

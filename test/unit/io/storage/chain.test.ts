import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { bundleHash, encodeBundle } from "#protocol/chain/bundle/bundle.ts";
import {
  type EncodedTransaction,
  encodedTransaction,
  type Event,
  type Receipt,
} from "#protocol/chain/index.ts";
import { StorageError } from "#base/errors/index.ts";
import {
  type BlockCommit,
  type ChainWriter,
  createChainReader,
  createChainWriter,
  type DatabaseHandle,
  openDatabase,
  type StoredChainReader,
} from "#io/storage/index.ts";
import { bundles, encodedTransactions, receipts } from "#test/helpers/arbitraries.ts";
import { blockCommit, noTrieChanges, testBlockHash } from "#test/helpers/blocks.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

let folder: TemporaryFolder;
let writing: DatabaseHandle;
let reading: DatabaseHandle;
let writer: ChainWriter;
let reader: StoredChainReader;

beforeEach(async () => {
  folder = temporaryFolder();
  const options = { path: folder.file("chain.db"), chainId: "SN_TEST" } as const;
  writing = await openDatabase({ ...options, mode: "writer", durability: "normal" });
  reading = await openDatabase({ ...options, mode: "reader", durability: "normal" });
  writer = createChainWriter(writing);
  reader = createChainReader(reading);
});

afterEach(() => {
  reading.close();
  writing.close();
  folder[Symbol.dispose]();
});

/** `count` transactions with distinct hashes, which `offset` sets apart, and their receipts. */
function bodyOf(
  count: number,
  offset = 0,
): { transactions: EncodedTransaction[]; receipts: Receipt[] } {
  const transactions = fc
    .sample(encodedTransactions, { numRuns: count, seed: 7 + offset })
    .map(({ transaction }, i) =>
      encodedTransaction({ hash: (1n << 240n) + BigInt(offset + i), transaction }),
    );
  const sampled = fc.sample(receipts, { numRuns: count, seed: 8 + offset });
  return {
    transactions,
    receipts: sampled.map((receipt, i) => ({
      ...receipt,
      transactionHash: transactions[i]?.hash ?? 0n,
    })),
  };
}

/** A block with something in every table. */
function fullCommit(number: number): BlockCommit {
  const [bundle] = fc.sample(bundles, { numRuns: 1, seed: 50 + number });
  return blockCommit(number, {
    ...bodyOf(40, 1000 * number),
    ...(bundle && {
      stateDiff: bundle.block.stateDiff,
      classes: bundle.classes,
      inputs: bundle.inputs,
    }),
    trie: {
      added: [{ id: number + 1, bytes: Uint8Array.of(number) }],
      removed: [number],
      roots: [{ kind: "contracts", contractAddress: 0n, root: { id: number + 1, hash: 5n } }],
      lastNodeId: number + 1,
    },
  });
}

function codeOf(action: () => void): string {
  try {
    action();
  } catch (error) {
    if (error instanceof StorageError) return error.code;
    throw error;
  }
  return "";
}

describe("a committed block", () => {
  test("is read back as its bundle, with the same content hash", () => {
    assertProperty(
      fc.property(bundles, (bundle) => {
        writer.unwindTo(-1);
        const header = { ...bundle.block.header, number: 0 };
        const stored = { ...bundle, block: { ...bundle.block, header } };
        writer.commitBlock({ ...stored, trie: noTrieChanges() });
        expect(reader.bundle(0)).toEqual(stored);
        const bytes = reader.bundleBytes(0) ?? new Uint8Array();
        expect(bundleHash(bytes)).toEqual(bundleHash(encodeBundle(stored)));
      }),
      { numRuns: 40 },
    );
  });

  test("gives its transactions and receipts one by one, over several rows", () => {
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

  test("is found by its number and its hash", () => {
    const commits = [0, 1, 2].map((number) => blockCommit(number));
    for (const commit of commits) writer.commitBlock(commit);
    expect(reader.latestNumber()).toBe(2);
    expect(reader.header(1)).toEqual(commits[1]?.block.header);
    expect(reader.numberByHash(testBlockHash(1))).toBe(1);
    expect(reader.signature(1)).toEqual({ r: 1n, s: 2n });
  });

  test("tells transactions apart whose hashes share their low bits", () => {
    const [first, second] = bodyOf(2).transactions as [EncodedTransaction, EncodedTransaction];
    const twin = encodedTransaction({ ...second, hash: first.hash + (1n << 200n) });
    const body = { transactions: [first, twin], receipts: bodyOf(2).receipts };
    writer.commitBlock(blockCommit(0, body));
    expect(reader.locate(first.hash)?.index).toBe(0);
    expect(reader.locate(twin.hash)?.index).toBe(1);
    expect(reader.locate(first.hash + (2n << 200n))).toBeUndefined();
  });

  test("keeps the messages from L1 that it consumed", () => {
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
});

test("an unknown block, transaction, class or value is absent", () => {
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

describe("a commit is refused", () => {
  test("when a number is left out", () => {
    expect(codeOf(() => writer.commitBlock(blockCommit(1)))).toBe("STORAGE_WRONG_PARENT");
  });

  test("when the parent is another block", () => {
    writer.commitBlock(blockCommit(0));
    const stranger = blockCommit(1, { fork: 1, parentFork: 2 });
    expect(codeOf(() => writer.commitBlock(stranger))).toBe("STORAGE_WRONG_PARENT");
  });

  test("and leaves nothing behind when its last part fails", () => {
    const added = [{ id: 1, bytes: Uint8Array.of(1) }];
    writer.commitBlock(blockCommit(0, { trie: { ...noTrieChanges(1), added } }));
    const body = bodyOf(3);
    const stateDiff = { ...diffWithNonce(77n, 5n) };
    const twice = blockCommit(1, { ...body, stateDiff, trie: { ...noTrieChanges(1), added } });
    expect(codeOf(() => writer.commitBlock(twice))).toBe("STORAGE_FAILED");
    expect(reader.latestNumber()).toBe(0);
    expect(reader.locate(body.transactions[0]?.hash ?? 0n)).toBeUndefined();
    // The same contract gets its id again: the cache must not know the one that was rolled back.
    writer.commitBlock(blockCommit(1, { stateDiff, trie: noTrieChanges(1) }));
    expect(reader.stateAt(1).nonceAt(77n)).toBe(5n);
  });
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

describe("unwinding", () => {
  test("removes the blocks above and what belongs to them", () => {
    const kept = bodyOf(3);
    const dropped = bodyOf(40, 1000);
    const l1Messages = [
      { transactionHash: 1n, nonce: 6n, messageHash: 1n, l1TransactionHash: 2n, l1BlockNumber: 1 },
    ];
    const legacy = { kind: "legacy" as const, json: "{}" };
    const classes = [{ classHash: 0xc1a55n, contractClass: legacy, casmJson: null }];
    writer.commitBlock(blockCommit(0, kept));
    writer.commitBlock(blockCommit(1, { ...dropped, classes, inputs: { l1Messages } }));
    writer.commitBlock(blockCommit(2));
    writer.unwindTo(0);
    expect(reader.latestNumber()).toBe(0);
    expect(reader.receipts(0)).toEqual(kept.receipts);
    expect(reader.locate(kept.transactions[0]?.hash ?? 0n)).toBeDefined();
    expect(reader.locate(dropped.transactions[0]?.hash ?? 0n)).toBeUndefined();
    expect(reader.transactions(1)).toEqual([]);
    expect(reader.consumedL1Message(6n)).toBeUndefined();
    expect(reader.declaredClass(0xc1a55n)).toBeUndefined();
    expect(reader.numberByHash(testBlockHash(1))).toBeUndefined();
  });

  test("leaves the same tables as if the blocks had never been", () => {
    const tables = () =>
      writing.connection
        .query<{ name: string }, []>("select name from sqlite_master where type = 'table'")
        .all()
        .map(({ name }) => name)
        .filter((name) => !["meta", "contract"].includes(name) && !name.startsWith("kysely"))
        .map((name) => [name, writing.connection.query(`select * from "${name}"`).all()]);
    const commits = [0, 1, 2].map(fullCommit);
    writer.commitBlock(fullCommit(0));
    const before = tables();
    for (const commit of commits.slice(1)) writer.commitBlock(commit);
    writer.unwindTo(0);
    expect(tables()).toEqual(before);
  });

  test("lowers what is accepted on L1", () => {
    for (const number of [0, 1, 2]) writer.commitBlock(blockCommit(number));
    writer.setL1Accepted(2);
    writer.setL1Accepted(1);
    expect(reader.l1AcceptedNumber()).toBe(2);
    writer.unwindTo(0);
    expect(reader.l1AcceptedNumber()).toBe(0);
    writer.unwindTo(-1);
    expect(reader.l1AcceptedNumber()).toBeUndefined();
  });

  test("lets another fork follow", () => {
    writer.commitBlock(blockCommit(0));
    writer.commitBlock(blockCommit(1));
    writer.unwindTo(0);
    writer.commitBlock(blockCommit(1, { fork: 9, parentFork: 0 }));
    expect(reader.header(1)?.hash).toBe(testBlockHash(1, 9));
  });

  test("to the newest block or above changes nothing", () => {
    writer.commitBlock(blockCommit(0));
    writer.unwindTo(0);
    writer.unwindTo(5);
    expect(reader.latestNumber()).toBe(0);
  });
});

describe("events", () => {
  const event: Event = { fromAddress: 0xaan, keys: [1n, 2n], data: [3n] };

  test("of a block are never missed by its filter", () => {
    const body = bodyOf(1);
    const receiptsWithEvent = body.receipts.map((receipt) => ({ ...receipt, events: [event] }));
    writer.commitBlock(blockCommit(0, { ...body, receipts: receiptsWithEvent }));
    expect(reader.mayHoldEvents(0, [], [])).toBe(true);
    expect(reader.mayHoldEvents(0, [0xaan], [])).toBe(true);
    expect(reader.mayHoldEvents(0, [0xbbn, 0xaan], [[], [9n, 2n]])).toBe(true);
  });

  test("that cannot be there are ruled out for most addresses", () => {
    const body = bodyOf(1);
    const receiptsWithEvent = body.receipts.map((receipt) => ({ ...receipt, events: [event] }));
    writer.commitBlock(blockCommit(0, { ...body, receipts: receiptsWithEvent }));
    writer.commitBlock(blockCommit(1));
    let hits = 0;
    for (let i = 1000n; i < 2000n; i++) if (reader.mayHoldEvents(0, [i], [])) hits++;
    expect(hits).toBeLessThan(100);
    expect(reader.mayHoldEvents(1, [], [])).toBe(false);
  });
});

test("values of the node are kept, replaced and removed", () => {
  writer.putValue("state", Uint8Array.of(1));
  writer.putValue("state", Uint8Array.of(2));
  expect(reader.value("state")).toEqual(Uint8Array.of(2));
  writer.putValue("state", undefined);
  expect(reader.value("state")).toBeUndefined();
});

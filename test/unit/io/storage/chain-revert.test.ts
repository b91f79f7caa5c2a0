import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  type ChainWriter,
  type DatabaseHandle,
  type StoredChainReader,
} from "#io/storage/index.ts";
import { blockCommit, testBlockHash } from "#test/helpers/blocks.ts";
import {
  bodyOf,
  type ChainFolder,
  fullCommit,
  openChainFolder,
} from "#test/helpers/chain-folder.ts";

let chain: ChainFolder;
let writing: DatabaseHandle;
let writer: ChainWriter;
let reader: StoredChainReader;

beforeEach(async () => {
  chain = await openChainFolder();
  ({ writing, writer, reader } = chain);
});

afterEach(() => chain[Symbol.dispose]());

describe("ChainWriter.revertTo", () => {
  test("removes the blocks above and their data", () => {
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
    writer.revertTo(0);
    expect(reader.latestNumber()).toBe(0);
    expect(reader.receipts(0)).toEqual(kept.receipts);
    expect(reader.locate(kept.transactions[0]?.hash ?? 0n)).toBeDefined();
    expect(reader.locate(dropped.transactions[0]?.hash ?? 0n)).toBeUndefined();
    expect(reader.transactions(1)).toEqual([]);
    expect(reader.consumedL1Message(6n)).toBeUndefined();
    expect(reader.declaredClass(0xc1a55n)).toBeUndefined();
    expect(reader.numberByHash(testBlockHash(1))).toBeUndefined();
  });

  test("leaves the tables as if the blocks had never existed", () => {
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
    writer.revertTo(0);
    expect(tables()).toEqual(before);
  });

  test("lowers the L1-accepted block", () => {
    for (const number of [0, 1, 2]) writer.commitBlock(blockCommit(number));
    writer.setL1Accepted(2);
    writer.setL1Accepted(1);
    expect(reader.l1AcceptedNumber()).toBe(2);
    writer.revertTo(0);
    expect(reader.l1AcceptedNumber()).toBe(0);
    writer.revertTo(-1);
    expect(reader.l1AcceptedNumber()).toBeUndefined();
  });

  test("allows another fork to follow", () => {
    writer.commitBlock(blockCommit(0));
    writer.commitBlock(blockCommit(1));
    writer.revertTo(0);
    writer.commitBlock(blockCommit(1, { fork: 9, parentFork: 0 }));
    expect(reader.header(1)?.hash).toBe(testBlockHash(1, 9));
  });

  test("changes nothing for the newest block or above", () => {
    writer.commitBlock(blockCommit(0));
    writer.revertTo(0);
    writer.revertTo(5);
    expect(reader.latestNumber()).toBe(0);
  });
});

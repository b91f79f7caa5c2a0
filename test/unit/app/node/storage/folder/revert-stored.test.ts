import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { DATABASE_SUFFIXES } from "#app/node/storage/folder/own-files.ts";
import { revertStored } from "#app/node/storage/folder/revert-stored.ts";
import { StorageError } from "#base/errors/index.ts";
import { createChainWriter, openDatabase } from "#io/storage/index.ts";
import { type ChainFolder, fullCommit, openChainFolder } from "#test/helpers/chain-folder.ts";

let chain: ChainFolder;
let mempool: string;

beforeEach(async () => {
  chain = await openChainFolder();
  for (let number = 0; number <= 3; number++) chain.writer.commitBlock(fullCommit(number));
  chain.writing.close();
  mempool = chain.folder.file("mempool.db");
  for (const suffix of DATABASE_SUFFIXES) writeFileSync(mempool + suffix, "x");
});

afterEach(() => chain[Symbol.dispose]());

function revert(blockNumber: number, keepReceived: boolean) {
  const chainDatabase = chain.folder.file("chain.db");
  const files = { chainDatabase, mempoolDatabase: mempool };
  const setup = { files, config: { chainId: "SN_TEST" } } as unknown as Parameters<
    typeof revertStored
  >[0];
  return revertStored(
    setup,
    { blockNumber, keepReceived, keepL1Accepted: keepReceived },
    () => undefined,
  );
}

const left = (): boolean[] => DATABASE_SUFFIXES.map((suffix) => existsSync(mempool + suffix));

describe("reverting a stored chain", () => {
  test("keeps the mempool, or deletes it with its companion files", async () => {
    await revert(2, true);
    expect([chain.reader.latestNumber(), left()]).toEqual([2, DATABASE_SUFFIXES.map(() => true)]);
    await revert(1, false);
    expect([chain.reader.latestNumber(), left()]).toEqual([1, DATABASE_SUFFIXES.map(() => false)]);
  });

  test("keeps L1 acceptance of the remaining blocks, or clears it", async () => {
    const writing = await openDatabase({
      path: chain.folder.file("chain.db"),
      chainId: "SN_TEST",
      mode: "writer",
      durability: "normal",
    });
    createChainWriter(writing).setL1Accepted(2);
    writing.close();
    await revert(1, true);
    expect(chain.reader.l1AcceptedNumber()).toBe(1);
    await revert(0, false);
    expect(chain.reader.l1AcceptedNumber()).toBeUndefined();
  });

  test("truncates the write-ahead log", async () => {
    await revert(0, true);
    const log = statSync(`${chain.folder.file("chain.db")}-wal`, { throwIfNoEntry: false });
    expect(log?.size ?? 0).toBe(0);
  });

  test("keeps the mempool if refused", async () => {
    const writing = await openDatabase({
      path: chain.folder.file("chain.db"),
      chainId: "SN_TEST",
      mode: "writer",
      durability: "normal",
    });
    const writer = createChainWriter(writing, { keepProofs: 1, pruneHistory: 16 });
    for (let number = 4; number <= 17; number++) writer.commitBlock(fullCommit(number));
    writing.close();
    const failed = await revert(1, false).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StorageError);
    expect([chain.reader.latestNumber(), left()]).toEqual([17, DATABASE_SUFFIXES.map(() => true)]);
  });
});

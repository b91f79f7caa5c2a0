import { describe, expect, test } from "bun:test";
import { StorageError } from "#base/errors/index.ts";
import { EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import { encodePendingDelta } from "#engine/state/index.ts";
import type { DeltaMessage } from "#services/admission/index.ts";
import type { TrieName } from "#protocol/trie/index.ts";
import { testBlockHash } from "#test/helpers/blocks.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";
import { committer, infoOf, sealed, tell } from "#test/helpers/committer-world.ts";

describe("a committer", () => {
  test("commits drafts in order, each on the previous one", async () => {
    const { service, executor, commits } = committer();
    service.start();
    for (const number of [0, 1, 2]) tell(executor, sealed(number));
    await service.stop();
    const headers = commits.map(({ block }) => block.header);
    expect(headers.map(({ number }) => number)).toEqual([0, 1, 2]);
    expect(headers.map(({ parentHash }) => parentHash)).toEqual([
      0n,
      headers[0]?.hash ?? -1n,
      headers[1]?.hash ?? -1n,
    ]);
  });

  test("continues after the newest accepted block", async () => {
    const { service, executor, commits, states } = committer({ latest: 4 });
    service.start();
    tell(executor, sealed(5));
    await service.stop();
    expect(commits[0]?.block.header.parentHash).toBe(testBlockHash(4));
    expect(states).toEqual([4]);
  });

  test("stores the L1 origin of each L1 message of a block", async () => {
    const { service, executor, commits } = committer();
    service.start();
    const message = {
      transactionHash: 1n,
      nonce: 2n,
      messageHash: 3n,
      l1TransactionHash: 4n,
      l1BlockNumber: null,
    };
    const [delta, seal] = sealed(0);
    tell(executor, [delta, { ...seal, l1Messages: [message] }]);
    tell(executor, sealed(1));
    await service.stop();
    expect(commits.map(({ inputs }) => inputs.l1Messages)).toEqual([[message], []]);
  });

  test("runs deferred work after everyone knows the block", async () => {
    const { service, executor, log } = committer({ afterAccepted: (done) => done.push("tidied") });
    tell(executor, sealed(0));
    tell(executor, sealed(1));
    service.start();
    await service.stop();
    const told = log.filter((line) => line.startsWith("main") || line === "tidied");
    expect(told).toEqual(["main: accepted 0", "tidied", "main: accepted 1", "tidied"]);
  });

  test("notifies everyone once a block is durable, the main thread last", async () => {
    const { service, executor, log } = committer();
    tell(executor, sealed(0, [7n, 8n], 3));
    service.start();
    await service.stop();
    expect(log).toEqual([
      "guard 3 [7,8]",
      "commit 0",
      "executor: accepted 0",
      "admission: accepted 0",
      "query-0: accepted 0",
      "main: accepted 0",
    ]);
  });

  test("reports an accepted block with its durations", async () => {
    const { service, executor, main, commits } = committer({ commitMs: 250 });
    service.start();
    tell(executor, sealed(0, [7n, 8n, 9n]));
    await service.stop();
    expect(main.sent).toEqual([
      {
        kind: "accepted",
        blockNumber: 0,
        blockHash: commits[0]?.block.header.hash ?? -1n,
        transactionCount: 3,
        eventCount: 3,
        revertedTransactions: { count: 0, first: [] },
        productionSeconds: 2,
        commitSeconds: 0.25,
      },
    ]);
    expect(executor.sent).toEqual(main.sent);
  });

  test("reports reverted transactions with the reason", async () => {
    const { service, executor, main } = committer();
    service.start();
    tell(executor, sealed(0, [7n], 1, { kind: "reverted", reason: "no balance" }));
    await service.stop();
    const { senderAddress } = emptyInvoke(1n, 7n);
    expect(main.sent).toMatchObject([
      {
        revertedTransactions: {
          count: 1,
          first: [{ hash: 7n, sender: senderAddress, reason: "no balance" }],
        },
      },
    ]);
  });

  test("reports a failing database, and commits nothing afterwards", async () => {
    const { service, executor, failures, log } = committer({
      onCommit: () => {
        throw new StorageError("STORAGE_FAILED", "disk full");
      },
    });
    service.start();
    tell(executor, sealed(0));
    tell(executor, sealed(1));
    await service.stop();
    await Bun.sleep(0);
    expect(failures).toContainEqual(new StorageError("STORAGE_FAILED", "disk full"));
    expect(log).toEqual(["guard 1 []"]);
  });
});

describe("the tries of a block that is being built", () => {
  const touching = (number: number, sequence: number, slot: bigint): DeltaMessage => ({
    kind: "delta",
    blockNumber: number,
    sequence,
    bytes: encodePendingDelta({
      blockNumber: number,
      sequence,
      info: sequence === 0 ? infoOf(number) : null,
      transactions: [],
      receipts: [],
      diff: { ...EMPTY_STATE_DIFF, storageDiffs: new Map([[7n, new Map([[slot, 1n]])]]) },
      classes: [],
      sealed: false,
    }),
  });

  test("are read ahead unless another block waits to be committed", async () => {
    const { service, executor, rootsRead } = committer();
    service.start();
    executor.tell(touching(0, 0, 1n));
    const storage: TrieName = { kind: "storage", contractAddress: 7n };
    expect(rootsRead).toContainEqual(storage);
    const [, seal] = sealed(0);
    executor.tell(seal);
    rootsRead.length = 0;
    executor.tell(touching(1, 0, 2n));
    expect(rootsRead).toEqual([]);
    await service.stop();
    rootsRead.length = 0;
    executor.tell(touching(1, 1, 3n));
    expect(rootsRead).toContainEqual(storage);
  });

  test("are not read ahead while the previous block found nearly all pages in memory", async () => {
    const pages = [15, 16, 3];
    const { service, executor, rootsRead, log } = committer({
      pagesOfBlock: (blockNumber) => pages[blockNumber] ?? 0,
    });
    service.start();
    const isReadAhead: boolean[] = [];
    for (const blockNumber of [0, 1, 2, 3]) {
      rootsRead.length = 0;
      executor.tell(touching(blockNumber, 0, 2n));
      isReadAhead.push(rootsRead.length > 0);
      const [, seal] = sealed(blockNumber);
      executor.tell(seal);
      while (!log.includes(`main: accepted ${blockNumber}`)) await Bun.sleep(1);
    }
    expect(isReadAhead).toEqual([true, false, true, false]);
    await service.stop();
  });
});

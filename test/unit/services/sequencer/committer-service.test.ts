import { describe, expect, test } from "bun:test";
import { StorageError } from "#base/errors/index.ts";
import {
  type BlockInfo,
  EMPTY_STATE_DIFF,
  encodedTransaction,
  encodeStateDiff,
  type Receipt,
} from "#protocol/chain/index.ts";
import type { BlockCommit } from "#io/storage/index.ts";
import type { AcceptedMessage, SealedMessage } from "#services/sequencer/index.ts";
import { CommitterService, STOP_COMMIT_MS } from "#services/sequencer/committer-service.ts";
import type { PublishGate } from "#services/sequencer/publish-gate.ts";
import { encodePendingDelta } from "#engine/state/index.ts";
import type { DeltaMessage } from "#services/admission/index.ts";
import { testBlockHash, testHeader } from "#test/helpers/blocks.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";
import { fakePort } from "#test/helpers/fake-port.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { MemoryTrieStore } from "#test/helpers/memory-trie-store.ts";
import { storageState } from "#test/helpers/memory-chain.ts";

const PRICE = { wei: 1n, fri: 1n };
const NO_GAS = { l1Gas: 0n, l1DataGas: 0n, l2Gas: 0n };

const infoOf = (number: number): BlockInfo => ({
  number,
  timestamp: 1_700_000_000 + number,
  sequencerAddress: 0x5e9n,
  gasPrices: { l1Gas: PRICE, l1DataGas: PRICE, l2Gas: PRICE },
  l1DaMode: "BLOB",
  protocolVersion: "0.14.0",
});

/** What the executor tells of a block with the transactions of these hashes, each with one event. */
function sealed(
  number: number,
  hashes: readonly bigint[] = [],
  attempt = 1,
  status: Receipt["status"] = { kind: "succeeded" },
): [DeltaMessage, SealedMessage] {
  const bytes = encodePendingDelta({
    blockNumber: number,
    sequence: 0,
    info: infoOf(number),
    transactions: hashes.map((hash) =>
      encodedTransaction({ hash, transaction: emptyInvoke(1n, hash) }),
    ),
    receipts: hashes.map((transactionHash) => ({
      transactionHash,
      actualFee: 0n,
      feeUnit: "FRI",
      events: [{ fromAddress: 1n, keys: [2n], data: [] }],
      messages: [],
      status,
      gas: NO_GAS,
      daGas: NO_GAS,
      vmResources: { steps: 1, memoryHoles: 0, builtins: {} },
    })),
    diff: EMPTY_STATE_DIFF,
    classes: [],
    sealed: true,
  });
  const stateDiff = encodeStateDiff(EMPTY_STATE_DIFF);
  return [
    { kind: "delta", blockNumber: number, sequence: 0, bytes },
    {
      kind: "sealed",
      blockNumber: number,
      stateDiff,
      attempt,
      productionSeconds: 2,
      l1Messages: [],
    },
  ];
}

type Executor = ReturnType<typeof committer>["executor"];

function tell(executor: Executor, messages: ReturnType<typeof sealed>): void {
  for (const message of messages) executor.tell(message);
}

interface CommitterParts {
  readonly latest?: number;
  readonly gate?: PublishGate;
  /** How long a commit takes. */
  readonly commitMs?: number;
  readonly onCommit?: (commit: BlockCommit) => void;
}

/** A committer with a test at the other end of each port; `log` has what it does, in order. */
function committer(parts: CommitterParts = {}) {
  const { latest = -1, commitMs = 0, gate = () => Promise.resolve("published") } = parts;
  const log: string[] = [];
  const failures: unknown[] = [];
  const commits: BlockCommit[] = [];
  const states: number[] = [];
  const timer = new FakeTimer();
  const outlet = (name: string) =>
    fakePort<DeltaMessage | SealedMessage, AcceptedMessage>(({ blockNumber }) => {
      log.push(`${name}: accepted ${blockNumber}`);
    });
  const executor = outlet("executor");
  const main = outlet("main");
  const service = new CommitterService({
    ports: { executor, readers: [outlet("admission"), outlet("query-0")], main },
    chain: {
      latestNumber: () => (latest < 0 ? undefined : latest),
      header: (number) => testHeader(number),
      bundleBytes: (number) => Uint8Array.of(number),
      stateAt(number) {
        states.push(number);
        return storageState(new Map());
      },
    },
    writer: {
      trieStore: new MemoryTrieStore(),
      commitBlock(commit) {
        parts.onCommit?.(commit);
        log.push(`commit ${commit.block.header.number}`);
        commits.push(commit);
        timer.advance(commitMs);
      },
    },
    guard: {
      runBlock(attempt, hashes, work) {
        log.push(`guard ${attempt} [${hashes.join()}]`);
        return work();
      },
    },
    gate,
    signingKey: 0x1234n,
    timer,
    onFailure: (error) => failures.push(error),
  });
  return { service, executor, main, log, failures, commits, states, timer };
}

describe("a committer", () => {
  test("commits drafts in order, each on the one before", async () => {
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

  test("goes on after the newest accepted block", async () => {
    const { service, executor, commits, states } = committer({ latest: 4 });
    service.start();
    tell(executor, sealed(5));
    await service.stop();
    expect(commits[0]?.block.header.parentHash).toBe(testBlockHash(4));
    expect(states).toEqual([4]);
  });

  test("stores where the messages from L1 of a block came from", async () => {
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

  test("tells everyone once a block is durable, the main thread last", async () => {
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

  test("says what was accepted, and how long it took", async () => {
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
        reverted: { count: 0, first: [] },
        productionSeconds: 2,
        commitSeconds: 0.25,
      },
    ]);
    expect(executor.sent).toEqual(main.sent);
  });

  test("says what reverted, and why", async () => {
    const { service, executor, main } = committer();
    service.start();
    tell(executor, sealed(0, [7n], 1, { kind: "reverted", reason: "no balance" }));
    await service.stop();
    const { senderAddress } = emptyInvoke(1n, 7n);
    expect(main.sent).toMatchObject([
      {
        reverted: { count: 1, first: [{ hash: 7n, sender: senderAddress, reason: "no balance" }] },
      },
    ]);
  });

  test("reports a database that fails, and commits nothing after that", async () => {
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

describe("the publish gate", () => {
  test("is asked about a committed block before anybody is told", async () => {
    const answer = Promise.withResolvers<"published">();
    const asked: unknown[] = [];
    const { service, executor, log } = committer({
      gate(number, epoch, bundle) {
        asked.push([number, epoch, bundle()]);
        return answer.promise;
      },
    });
    service.start();
    tell(executor, sealed(0));
    tell(executor, sealed(1));
    await Bun.sleep(1);
    expect(asked).toEqual([[0, 0, Uint8Array.of(0)]]);
    expect(log).toEqual(["guard 1 []", "commit 0"]);
    answer.resolve("published");
    await service.stop();
    expect(log.slice(2)).toContain("main: accepted 0");
    expect(log.at(-1)).toBe("main: accepted 1");
  });

  test("that refuses ends it: nobody is told, nothing more is committed", async () => {
    const { service, executor, failures, log } = committer({
      gate: () => Promise.resolve("refused"),
    });
    service.start();
    tell(executor, sealed(0));
    tell(executor, sealed(1));
    await service.stop();
    await Bun.sleep(0);
    expect(failures[0]).toMatchObject({ code: "NODE_DEPOSED" });
    expect(log).toEqual(["guard 1 []", "commit 0"]);
  });
});

describe("a stop", () => {
  test("waits for the drafts that have arrived", async () => {
    const { service, executor, log } = committer({ commitMs: 400 });
    service.start();
    for (const number of [0, 1, 2]) tell(executor, sealed(number));
    await service.stop();
    expect(log.filter((line) => line.startsWith("main"))).toHaveLength(3);
  });

  test("leaves out what has not begun when its time is over", async () => {
    const { service, executor, commits } = committer({ commitMs: STOP_COMMIT_MS });
    service.start();
    for (const number of [0, 1, 2]) tell(executor, sealed(number));
    await service.stop();
    expect(commits).toHaveLength(1);
  });
});

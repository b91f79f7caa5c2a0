import { describe, expect, test } from "bun:test";
import {
  AwaitedTransactions,
  MAX_AWAITED,
  type AwaitedDeps,
} from "#app/node/devnet/awaited-transactions.ts";
import type { MempoolStatus } from "#app/node/admission/admission-client.ts";
import type { PendingBlock } from "#engine/state/index.ts";
import type { SubmitAnswer } from "#services/sync/index.ts";
import { CLIENT, OTHER_CLIENT } from "#test/helpers/clients.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";

const SENDER = 0x5en;
const TIMEOUT_MS = 500;

/** A chain at block 3, whose later blocks the test fills. */
function world(sealsImmediately = true) {
  const timer = new FakeTimer();
  const accepted: bigint[][] = [[], [], [], [0x33n]];
  const pending = new Set<bigint>();
  const statuses = new Map<bigint, MempoolStatus>();
  const asked: bigint[] = [];
  const read: (bigint | number)[] = [];
  const seals = { value: sealsImmediately };
  const parts: AwaitedDeps = {
    chain: {
      latestNumber: () => accepted.length - 1,
      locate(hash) {
        read.push(hash);
        const blockNumber = accepted.findIndex((hashes) => hashes.includes(hash));
        return blockNumber < 0 ? undefined : { blockNumber, index: 0 };
      },
      transactionHashes(number) {
        read.push(number);
        return accepted[number] ?? [];
      },
    },
    overlay: () => ({
      blocks: () => [
        {
          find: (hash: bigint) => (pending.has(hash) ? { index: 0 } : undefined),
        } as unknown as PendingBlock,
      ],
    }),
    admission: {
      statusOf(hash) {
        asked.push(hash);
        return Promise.resolve(statuses.get(hash) ?? "executable");
      },
    },
    sealsImmediately: () => seals.value,
    timer,
    timeoutMs: TIMEOUT_MS,
  };
  const awaited = new AwaitedTransactions(parts);
  return {
    awaited,
    accepted,
    pending,
    statuses,
    asked,
    /** Database lookups: transactions by hash, blocks by number. */
    read,
    seals,
    timer,
    /** Whether the wait for a transaction is over; updated on its own. */
    wait(hash: bigint) {
      const state = { isOver: false };
      void awaited.executed(hash, SENDER).then(() => (state.isOver = true));
      return state;
    },
    /** Accepts a block with these transactions. */
    accept(...hashes: bigint[]) {
      for (const hash of hashes) pending.delete(hash);
      accepted.push(hashes);
      awaited.changed();
    },
    /** Adds transactions to the block that is being built. */
    build(...hashes: bigint[]) {
      for (const hash of hashes) pending.add(hash);
      awaited.changed();
    },
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const rejection = (hash: bigint, sender = SENDER) => ({ hash, sender, code: "ANY", reason: "why" });

describe("the response to a submission", () => {
  test("waits until its block is accepted, if blocks follow transactions immediately", async () => {
    const { wait, build, accept, awaited, timer } = world();
    const [first, second] = [wait(1n), wait(2n)];
    await settle();
    build(1n, 2n);
    await settle();
    expect([first.isOver, second.isOver]).toEqual([false, false]);
    accept(1n);
    await settle();
    expect([first.isOver, second.isOver]).toEqual([true, false]);
    accept(2n);
    await settle();
    expect([second.isOver, awaited.size, timer.alarms]).toEqual([true, 0, 0]);
  });

  test("waits only until the transaction is executed, otherwise", async () => {
    const { wait, build, accept } = world(false);
    const [first, second] = [wait(1n), wait(2n)];
    await settle();
    build(1n);
    await settle();
    expect([first.isOver, second.isOver]).toEqual([true, false]);
    // Its delta may arrive after the report that its block is accepted.
    accept(1n, 2n);
    await settle();
    expect(second.isOver).toBe(true);
  });

  test("does not wait for a transaction that is already visible", async () => {
    const { awaited, build, seals, asked } = world();
    await awaited.executed(0x33n, SENDER);
    seals.value = false;
    build(1n);
    await awaited.executed(1n, SENDER);
    expect([awaited.size, asked]).toEqual([0, []]);
  });

  test("finds its block among several accepted together", async () => {
    const { wait, accepted, accept } = world();
    const waiting = wait(1n);
    accepted.push([1n], [4n]);
    accept(5n);
    await settle();
    expect(waiting.isOver).toBe(true);
  });

  test("reads each block once for all waiters, and no earlier block", async () => {
    const { wait, build, accept, read } = world();
    for (const hash of [11n, 12n, 13n]) wait(hash);
    await settle();
    build(11n);
    build(12n);
    accept(11n, 12n);
    accept();
    expect(read).toEqual([11n, 12n, 13n, 4, 5]);
  });

  test("stops waiting for a rejected transaction", async () => {
    const { wait, awaited } = world();
    const [rejected, other] = [wait(1n), wait(2n)];
    await settle();
    awaited.rejected([rejection(1n)]);
    await settle();
    expect([rejected.isOver, other.isOver]).toEqual([true, false]);
  });

  test("stops waiting for a transaction rejected before the wait started", async () => {
    const { wait, statuses } = world();
    statuses.set(1n, "gone");
    const waiting = wait(1n);
    await settle();
    expect(waiting.isOver).toBe(true);
  });

  test("waits for a transaction that has left the mempool for a block", async () => {
    const { wait, statuses, pending, accept } = world();
    statuses.set(1n, "gone");
    pending.add(1n);
    const waiting = wait(1n);
    await settle();
    expect(waiting.isOver).toBe(false);
    accept(1n);
    await settle();
    expect(waiting.isOver).toBe(true);
  });

  test("does not wait for a missing earlier nonce", async () => {
    const { wait, statuses } = world();
    statuses.set(1n, "ahead");
    const waiting = wait(1n);
    await settle();
    expect(waiting.isOver).toBe(true);
  });

  test("stops waiting once an earlier nonce of its sender is rejected", async () => {
    const { wait, statuses, awaited, asked } = world();
    const [first, second] = [wait(1n), wait(2n)];
    await settle();
    expect(asked).toEqual([1n, 2n]);
    awaited.rejected([rejection(0xffn, 0x0ddn)]);
    await settle();
    expect(asked).toEqual([1n, 2n]);
    statuses.set(2n, "ahead");
    awaited.rejected([rejection(0xffn)]);
    await settle();
    expect([first.isOver, second.isOver]).toEqual([false, true]);
  });

  test("is sent after the timeout", async () => {
    const { wait, timer, awaited } = world();
    const waiting = wait(1n);
    timer.advance(TIMEOUT_MS - 1);
    await settle();
    expect(waiting.isOver).toBe(false);
    timer.advance(1);
    await settle();
    expect([waiting.isOver, awaited.size]).toEqual([true, 0]);
  });

  test("is sent when the chain is reverted or the node stops", async () => {
    const { wait, awaited, timer } = world();
    const waiting = [wait(1n), wait(2n)];
    await settle();
    awaited.interrupt();
    await settle();
    expect(waiting.map(({ isOver }) => isOver)).toEqual([true, true]);
    expect([awaited.size, timer.alarms]).toEqual([0, 0]);
  });

  test("finds its block on a chain that was reverted when the wait started", async () => {
    const { wait, accepted, accept } = world();
    const waiting = wait(1n);
    await settle();
    accepted.splice(1);
    accept(1n);
    await settle();
    expect(waiting.isOver).toBe(true);
  });

  test("is sent immediately if too many are waiting", async () => {
    const { wait, awaited } = world();
    for (let hash = 1; hash <= MAX_AWAITED; hash++) wait(BigInt(hash) << 8n);
    expect(awaited.size).toBe(MAX_AWAITED);
    const waiting = wait(1n);
    await settle();
    expect([waiting.isOver, awaited.size]).toEqual([true, MAX_AWAITED]);
  });

  test("is sent to both waiters for the same transaction", async () => {
    const { wait, accept } = world();
    const waiting = [wait(1n), wait(1n)];
    await settle();
    accept(1n);
    await settle();
    expect(waiting.map(({ isOver }) => isOver)).toEqual([true, true]);
  });
});

describe("a submitter that waits for execution", () => {
  test("passes on the client of a submission", () => {
    const { awaited } = world();
    const clients: unknown[] = [];
    const take = (_: unknown, client: unknown): Promise<SubmitAnswer> => {
      clients.push(client);
      return Promise.resolve({ kind: "rejected", code: "DUPLICATE_TX", reason: "" });
    };
    const submitter = awaited.answering({ submit: take, declare: take });
    const declaration = { transaction: { senderAddress: SENDER } };
    void submitter.submit(emptyInvoke(SENDER, 0n), CLIENT);
    void submitter.declare(declaration as never, OTHER_CLIENT);
    expect(clients[0]).toBe(CLIENT);
    expect(clients[1]).toBe(OTHER_CLIENT);
  });

  test("resolves when the transaction is executed", async () => {
    const { awaited, accept } = world();
    const outcome: SubmitAnswer = { kind: "accepted", transactionHash: 1n };
    const submitter = awaited.answering({
      submit: () => Promise.resolve(outcome),
      declare: () => Promise.resolve({ ...outcome, classHash: 7n }),
    });
    const given: SubmitAnswer[] = [];
    void submitter.submit(emptyInvoke(SENDER, 0n), CLIENT).then((one) => given.push(one));
    const declaration = { transaction: { senderAddress: SENDER } };
    void submitter
      .declare(declaration as Parameters<typeof submitter.declare>[0], CLIENT)
      .then((one) => given.push(one));
    await settle();
    expect(given).toEqual([]);
    accept(1n);
    await settle();
    expect(given).toEqual([outcome, { ...outcome, classHash: 7n }]);
  });

  test("resolves a rejection immediately", async () => {
    const { awaited, asked } = world();
    const refusal: SubmitAnswer = { kind: "rejected", code: "NON_ACCOUNT", reason: "no" };
    const submitter = awaited.answering({
      submit: () => Promise.resolve(refusal),
      declare: () => Promise.resolve(refusal),
    });
    expect(await submitter.submit(emptyInvoke(SENDER, 0n), CLIENT)).toEqual(refusal);
    expect(asked).toEqual([]);
  });
});

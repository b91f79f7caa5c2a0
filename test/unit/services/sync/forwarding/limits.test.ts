import { describe, expect, test } from "bun:test";
import type { SubmissionReply } from "#io/feeder/index.ts";
import { FORWARDING_LIMITS, type ForwardingLimits } from "#services/sync/index.ts";
import { ReceivedTransactions } from "#services/sync/forwarding/received.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import {
  forwardingWorld,
  hashOf,
  invoke,
  NOT_RECEIVED,
  RECEIVED,
  strangeHash,
} from "#test/helpers/forwarding-world.ts";

const transaction = invoke(0);
const never = () => new Promise<never>(() => undefined);
const settled = () => Bun.sleep(1);

describe("stored forwarded transactions", () => {
  const remembered = (limits: Partial<ForwardingLimits>) =>
    new ReceivedTransactions({ ...FORWARDING_LIMITS, ...limits }, new FakeTimer());

  test("are limited to 30 000, and the oldest is evicted first", () => {
    const received = remembered({});
    for (let i = 0; i < 30_000; i++) received.add({ hash: strangeHash(i), transaction }, undefined);
    expect(received.size).toBe(30_000);
    expect(received.get(strangeHash(0))).toBeDefined();
    received.add({ hash: strangeHash(30_000), transaction }, undefined);
    expect(received.size).toBe(30_000);
    expect(received.get(strangeHash(0))).toBeUndefined();
    expect(received.get(strangeHash(1))).toBeDefined();
    expect(received.get(strangeHash(30_000))).toBeDefined();
  });

  test("are limited in bytes, including the bodies of declarations", () => {
    const received = remembered({ maxReceivedBytes: 1 << 20 });
    const calldata = Array.from({ length: 1_000 }, () => (1n << 250n) - 1n);
    for (let i = 0; i < 100; i++) {
      received.add({ hash: BigInt(i), transaction: { ...transaction, calldata } }, undefined);
    }
    expect([received.size > 20, received.size < 35]).toEqual([true, true]);
    for (let i = 200; i < 300; i++) {
      received.add({ hash: BigInt(i), transaction }, "x".repeat(1 << 18));
    }
    expect(received.size).toBe(3);
  });

  test("are looked up at a bounded rate, and all of them in time", async () => {
    const { forwarding, gateway, included, pass } = forwardingWorld();
    for (let i = 0; i < 400; i++) {
      await forwarding.submit(invoke(i));
      if (i % 2 === 0) included.add(hashOf(i));
      else gateway.statuses.set(hashOf(i), RECEIVED);
    }
    await pass(5_000);
    const before = gateway.asked.length;
    expect(before).toBeLessThanOrEqual(50);
    await pass(60_000);
    expect(forwarding.size).toBe(200);
    expect(new Set(gateway.asked).size).toBe(200);
    expect(gateway.asked.length - before).toBeLessThanOrEqual(60 * 50);
  });
});

describe("submissions", () => {
  test("above the limit in flight are queued, and above the queue limit rejected", async () => {
    const { forwarding, gateway } = forwardingWorld({ maxSubmitting: 2, maxWaiting: 2 });
    const open: ((reply: SubmissionReply) => void)[] = [];
    gateway.answer = () => new Promise((answer) => open.push(answer));
    const answers = [1, 2, 3, 4, 5].map((nonce) => forwarding.submit(invoke(nonce)));
    expect(await answers[4]).toMatchObject({
      kind: "rejected",
      code: "UNEXPECTED_ERROR",
      retryAfterSeconds: 2,
    });
    await settled();
    expect(gateway.bodies).toHaveLength(2);
    for (let nonce = 1; nonce <= 4; nonce++) {
      while (open.length < nonce) await settled();
      open[nonce - 1]?.({ kind: "taken", transactionHash: hashOf(nonce) });
    }
    for (const answer of answers.slice(0, 4)) {
      expect(await answer).toMatchObject({ kind: "accepted" });
    }
  });

  test("of one account use only part of the queue", async () => {
    const { forwarding, gateway } = forwardingWorld({ maxSubmitting: 1, maxWaitingOfSender: 2 });
    let end: (reply: SubmissionReply) => void = () => undefined;
    gateway.answer = () => new Promise((answer) => (end = answer));
    const [, second, third, fourth] = [1, 2, 3, 4].map((nonce) => forwarding.submit(invoke(nonce)));
    expect(await fourth).toMatchObject({ kind: "rejected", retryAfterSeconds: 2 });
    const honest = forwarding.submit({ ...invoke(5), senderAddress: 0x5n });
    gateway.answer = () => ({ kind: "unreachable", message: "asked" });
    await settled();
    end({ kind: "unreachable", message: "asked" });
    for (const answer of [second, third, honest]) {
      expect(await answer).toMatchObject({ kind: "undecided", reason: "asked" });
    }
    // The slots are free again.
    expect(await forwarding.submit(invoke(6))).toMatchObject({ kind: "undecided" });
  });

  test("sends Retry-After to queued requests once the node accepts submissions itself", async () => {
    const { forwarding, gateway } = forwardingWorld({ maxSubmitting: 1 });
    gateway.answer = never;
    void forwarding.submit(invoke(1));
    const second = forwarding.submit(invoke(2));
    await settled();
    forwarding.stop(true);
    const answer = { kind: "rejected", retryAfterSeconds: 2 };
    expect(await second).toMatchObject(answer);
    expect(await forwarding.submit(invoke(3))).toMatchObject(answer);
  });

  test("are settled when the node stops", async () => {
    const { forwarding, gateway, timer } = forwardingWorld({ maxSubmitting: 1 });
    let end: (reply: SubmissionReply) => void = () => undefined;
    gateway.answer = () => new Promise((answer) => (end = answer));
    gateway.status = never;
    const first = forwarding.submit(invoke(1));
    const second = forwarding.submit(invoke(2));
    const asked = forwarding.find(strangeHash(1));
    await settled();
    forwarding.stop(false);
    expect(await second).toMatchObject({ kind: "rejected", reason: "the node is stopping" });
    end({ kind: "unreachable", message: "stopped" });
    expect(await first).toMatchObject({ kind: "undecided" });
    timer.advance(2_000);
    expect(await asked).toBeUndefined();
    expect(await forwarding.find(strangeHash(2))).toBeUndefined();
    expect(timer.alarms).toBe(0);
  });
});

describe("lookups of unknown hashes", () => {
  test("return the gateway's status", async () => {
    const { forwarding, gateway } = forwardingWorld();
    const [waiting, candidate, rejected, included, unknown] = [1, 2, 3, 4, 5].map(strangeHash) as [
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
    ];
    gateway.statuses.set(waiting, RECEIVED);
    gateway.statuses.set(candidate, { ...RECEIVED, status: "CANDIDATE" });
    gateway.statuses.set(rejected, {
      ...NOT_RECEIVED,
      status: "REJECTED",
      executionStatus: "REJECTED",
      failureReason: "too late",
    });
    gateway.statuses.set(included, {
      ...RECEIVED,
      finality: "ACCEPTED_ON_L2",
      status: "ACCEPTED_ON_L2",
    });
    const elsewhere = { transaction: undefined, isCandidate: false };
    expect(await forwarding.find(waiting)).toEqual({ hash: waiting, ...elsewhere });
    expect(await forwarding.find(candidate)).toMatchObject({ isCandidate: true });
    // It is in a block that is not stored here yet.
    expect(await forwarding.find(included)).toEqual({ hash: included, ...elsewhere });
    expect(await forwarding.find(rejected)).toBeUndefined();
    expect(await forwarding.rejectionOf(rejected)).toBe("too late");
    expect(await forwarding.find(unknown)).toBeUndefined();
    expect(await forwarding.rejectionOf(unknown)).toBeUndefined();
  });

  test("share one request, and are cached for a second", async () => {
    const { forwarding, gateway, timer } = forwardingWorld();
    const asked = Array.from({ length: 100 }, () => forwarding.find(strangeHash(1)));
    await Promise.all(asked);
    await forwarding.rejectionOf(strangeHash(1));
    expect(gateway.asked).toHaveLength(1);
    timer.advance(999);
    await forwarding.find(strangeHash(1));
    expect(gateway.asked).toHaveLength(1);
    timer.advance(1);
    await forwarding.find(strangeHash(1));
    expect(gateway.asked).toHaveLength(2);
  });

  test("bound the length of reasons, and the total of cached characters", async () => {
    const { forwarding, gateway } = forwardingWorld();
    const failureReason = "x".repeat(1 << 20);
    gateway.status = () => ({
      kind: "status",
      status: { ...NOT_RECEIVED, status: "REJECTED", failureReason },
    });
    expect((await forwarding.rejectionOf(strangeHash(0)))?.length).toBe(100_000);
    await forwarding.rejectionOf(strangeHash(0));
    expect(gateway.asked).toHaveLength(1);
    for (let i = 1; i <= 170; i++) await forwarding.rejectionOf(strangeHash(i));
    // The oldest was evicted.
    await forwarding.rejectionOf(strangeHash(0));
    expect(gateway.asked).toHaveLength(172);
  });

  test("return nothing if the gateway does not respond in time", async () => {
    const { forwarding, gateway, timer } = forwardingWorld();
    gateway.status = never;
    const asked = forwarding.find(strangeHash(1));
    timer.advance(2_000);
    expect(await asked).toBeUndefined();
    gateway.status = () => ({ kind: "unreachable", message: "nobody" });
    expect(await forwarding.find(strangeHash(2))).toBeUndefined();
  });

  test("are not sent once they have timed out", async () => {
    const { forwarding, gateway, timer } = forwardingWorld({ maxLookups: 1 });
    let end: () => void = () => undefined;
    gateway.status = () =>
      new Promise((answer) => (end = () => answer({ kind: "status", status: NOT_RECEIVED })));
    const asked = [1, 2, 3].map((i) => forwarding.find(strangeHash(i)));
    timer.advance(2_000);
    await Promise.all(asked);
    end();
    await settled();
    expect(gateway.asked).toEqual([strangeHash(1)]);
  });

  test("under a flood are limited, short, and start with the newest", async () => {
    const { forwarding, gateway, timer } = forwardingWorld();
    let open: (() => void)[] = [];
    gateway.status = (hash) =>
      new Promise((answer) => {
        const status = gateway.statuses.get(hash) ?? NOT_RECEIVED;
        open.push(() => answer({ kind: "status", status }));
      });
    const flood = Array.from({ length: 10_000 }, (_, i) => forwarding.find(strangeHash(i)));
    expect(gateway.asked).toHaveLength(24);
    // Above the queue limit, the oldest return immediately.
    expect(await flood[24]).toBeUndefined();
    expect(await flood[9_000]).toBeUndefined();
    gateway.statuses.set(strangeHash(20_000), RECEIVED);
    const honest = forwarding.find(strangeHash(20_000));
    // A slot becomes free, and the honest lookup takes it.
    open.shift()?.();
    await settled();
    expect(gateway.asked.at(-1)).toBe(strangeHash(20_000));
    open.pop()?.();
    expect(await honest).toBeDefined();
    timer.advance(2_000);
    expect(await Promise.all(flood)).toEqual(flood.map(() => undefined));
    // Late responses do no harm, and the slots are free again.
    for (let i = 0; i < 100 && open.length > 0; i++) {
      const ready = open;
      open = [];
      for (const answer of ready) answer();
      await settled();
    }
    gateway.status = () => ({ kind: "status", status: RECEIVED });
    expect(await forwarding.find(strangeHash(30_000))).toBeDefined();
    expect(timer.alarms).toBe(0);
  });

  test("of forwarded transactions need no request, even under a flood of others", async () => {
    const { forwarding, gateway } = forwardingWorld();
    await forwarding.submit(invoke(1));
    gateway.status = never;
    const flood = Array.from({ length: 2_000 }, (_, i) => forwarding.find(strangeHash(i)));
    expect(await forwarding.find(hashOf(1))).toMatchObject({ transaction: invoke(1) });
    expect(flood).toHaveLength(2_000);
  });
});

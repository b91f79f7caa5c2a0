import { describe, expect, test } from "bun:test";
import { parseJson } from "#base/codec/index.ts";
import {
  forwardingWorld,
  hashOf,
  invoke,
  NOT_RECEIVED,
  RECEIVED,
} from "#test/helpers/forwarding-world.ts";

describe("a forwarded transaction that is in no block", () => {
  test("is resent whenever the sequencer does not know it", async () => {
    const { forwarding, gateway, pass } = forwardingWorld();
    await forwarding.submit(invoke(1));
    await pass(4_000);
    expect(gateway.asked).toEqual([]);
    await pass(2_000);
    expect(gateway.asked).toEqual([hashOf(1)]);
    expect(gateway.bodies).toHaveLength(2);
    const [first, again] = gateway.bodies.map((body) => parseJson(body));
    expect(again).toEqual(first as never);
    expect(await forwarding.find(hashOf(1))).toBeDefined();
    await pass(6_000);
    expect(gateway.bodies).toHaveLength(3);
    // One sequencer after another loses it: it counts as received here throughout.
    await pass(287_000);
    expect(gateway.bodies.length).toBeGreaterThan(40);
    expect(await forwarding.find(hashOf(1))).toMatchObject({ transaction: invoke(1) });
    expect(await forwarding.rejectionOf(hashOf(1))).toBeUndefined();
    await pass(10_000);
    expect(await forwarding.find(hashOf(1))).toBeUndefined();
    const { length } = gateway.bodies;
    await pass(20_000);
    expect(gateway.bodies).toHaveLength(length);
  });

  test("is kept if only a pending block contains it, and that block is dropped", async () => {
    const { forwarding, gateway, building, included, taken, pass } = forwardingWorld();
    await forwarding.submit(invoke(1));
    building.add(hashOf(1)).add(hashOf(2));
    // The block arrived before the response.
    await forwarding.submit(invoke(2));
    expect(taken).toEqual([hashOf(1)]);
    await pass(20_000);
    expect([gateway.asked, gateway.bodies.length, forwarding.size]).toEqual([[], 2, 2]);
    building.clear();
    await pass(6_000);
    expect(gateway.bodies).toHaveLength(4);
    expect(await forwarding.find(hashOf(2))).toMatchObject({ transaction: invoke(2) });
    included.add(hashOf(1)).add(hashOf(2));
    await pass(6_000);
    expect([gateway.bodies.length, forwarding.size]).toEqual([4, 0]);
  });

  test("is not resent while the sequencer has it, and dropped after five minutes", async () => {
    const { forwarding, gateway, pass } = forwardingWorld();
    await forwarding.submit(invoke(1));
    gateway.statuses.set(hashOf(1), RECEIVED);
    await pass(299_000);
    expect(gateway.bodies).toHaveLength(1);
    expect(await forwarding.find(hashOf(1))).toMatchObject({ transaction: invoke(1) });
    await pass(1_000);
    const found = await forwarding.find(hashOf(1));
    // It is known at the sequencer, and no longer here.
    expect(found).toEqual({ hash: hashOf(1), transaction: undefined, isCandidate: false });
    expect(forwarding.size).toBe(0);
  });

  test("is not resent while the gateway is unreachable", async () => {
    const { forwarding, gateway, pass } = forwardingWorld();
    await forwarding.submit(invoke(1));
    gateway.status = () => ({ kind: "unreachable", message: "nobody" });
    await pass(120_000);
    expect(gateway.bodies).toHaveLength(1);
    expect(await forwarding.find(hashOf(1))).toBeDefined();
  });

  test("has the sequencer's reason if that rejected it", async () => {
    const { forwarding, gateway, pass } = forwardingWorld();
    await forwarding.submit(invoke(1));
    gateway.statuses.set(hashOf(1), {
      ...NOT_RECEIVED,
      status: "REJECTED",
      failureReason: "nonce used",
    });
    await pass(6_000);
    expect(await forwarding.find(hashOf(1))).toBeUndefined();
    expect(await forwarding.rejectionOf(hashOf(1))).toBe("nonce used");
    expect(gateway.bodies).toHaveLength(1);
  });

  test("is kept once the sequencer confirmed it, whatever replicas report", async () => {
    const { forwarding, gateway, pass } = forwardingWorld();
    await forwarding.submit(invoke(1));
    gateway.answer = () => ({
      kind: "refused",
      code: "StarknetErrorCode.DUPLICATED_TRANSACTION",
      message: "",
    });
    // Resent after 5, 15, 30, 50 and 75 s, then every 30 s: the sequencer may have changed.
    await pass(49_000);
    expect(gateway.bodies).toHaveLength(4);
    await pass(241_000);
    expect(gateway.bodies).toHaveLength(13);
    expect(await forwarding.find(hashOf(1))).toMatchObject({ transaction: invoke(1) });
    expect(await forwarding.rejectionOf(hashOf(1))).toBeUndefined();
  });

  test("is rejected after three consecutive refusals, with their reason", async () => {
    const { forwarding, gateway, pass } = forwardingWorld();
    await forwarding.submit(invoke(1));
    gateway.answer = () => ({
      kind: "refused",
      code: "StarknetErrorCode.VALIDATE_FAILURE",
      message: "invalid signature",
    });
    await pass(13_000);
    expect(await forwarding.find(hashOf(1))).toBeDefined();
    expect(await forwarding.rejectionOf(hashOf(1))).toBeUndefined();
    await pass(5_000);
    expect(await forwarding.find(hashOf(1))).toBeUndefined();
    expect(await forwarding.rejectionOf(hashOf(1))).toMatch(
      /rejected it when it was sent again: invalid sig/,
    );
    await pass(60_000);
    expect(gateway.bodies).toHaveLength(4);
  });

  test("is not rejected permanently while its prerequisites were lost as well", async () => {
    const { forwarding, gateway, pass } = forwardingWorld();
    await forwarding.submit(invoke(1));
    const { answer } = gateway;
    let refusals = 0;
    // Refused twice, accepted and lost again, refused twice, known.
    gateway.answer = (nonce) =>
      refusals++ === 2
        ? answer(nonce)
        : { kind: "refused", code: "StarknetErrorCode.VALIDATE_FAILURE", message: "no account" };
    await pass(26_000);
    expect(gateway.bodies).toHaveLength(6);
    expect(await forwarding.rejectionOf(hashOf(1))).toBeUndefined();
    gateway.statuses.set(hashOf(1), RECEIVED);
    await pass(6_000);
    gateway.statuses.clear();
    await pass(10_000);
    expect(await forwarding.find(hashOf(1))).toBeDefined();
  });

  test("is resent in nonce order, one per account at a time", async () => {
    const { forwarding, gateway, pass } = forwardingWorld();
    for (const nonce of [3, 1, 2, 0]) await forwarding.submit(invoke(nonce));
    const of = (body: string): string => {
      const { nonce, sender_address } = JSON.parse(body) as Record<string, string>;
      return `${Number(sender_address)}:${Number(nonce)}`;
    };
    const own = Number(invoke(0).senderAddress);
    const { status } = gateway;
    const asked: PromiseWithResolvers<void>[] = [];
    gateway.status = async (hash) => {
      const question = Promise.withResolvers<void>();
      asked.push(question);
      await question.promise;
      return status(hash);
    };
    await pass(6_000);
    for (let i = 0; i < 4; i++) {
      expect(asked).toHaveLength(i + 1);
      asked[i]?.resolve();
      await pass(0);
      for (let j = 0; j < 20; j++) await new Promise(setImmediate);
    }
    expect(gateway.bodies.slice(4).map(of)).toEqual([0, 1, 2, 3].map((n) => `${own}:${n}`));
  });

  test("is not resent once the node stops", async () => {
    const { forwarding, gateway, timer, pass } = forwardingWorld();
    for (let i = 0; i < 20; i++) await forwarding.submit(invoke(i));
    const question = Promise.withResolvers<void>();
    gateway.status = async () => {
      await question.promise;
      return { kind: "status", status: NOT_RECEIVED };
    };
    await pass(6_000);
    forwarding.stop(false);
    question.resolve();
    await pass(60_000);
    // Nothing is forwarded, not even the transaction that was looked up.
    expect([gateway.bodies.length, timer.alarms]).toEqual([20, 0]);
  });

  test.each([
    ["DUPLICATED_TRANSACTION", undefined],
    ["RATE_LIMITED", 5],
  ])("is kept if resending ends with %s", async (code, retryAfterSeconds) => {
    const { forwarding, gateway, pass } = forwardingWorld();
    await forwarding.submit(invoke(1));
    gateway.answer = () => ({
      kind: "refused",
      code: `StarknetErrorCode.${code}`,
      message: "",
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
    await pass(6_000);
    expect(await forwarding.find(hashOf(1))).toBeDefined();
    expect(await forwarding.rejectionOf(hashOf(1))).toBeUndefined();
  });
});

test("is resent again later if the gateway did not look at it", async () => {
  const { forwarding, gateway, pass } = forwardingWorld();
  await forwarding.submit(invoke(1));
  const { answer } = gateway;
  gateway.answer = () => ({
    kind: "refused",
    code: "StarknetErrorCode.RATE_LIMITED",
    message: "",
    retryAfterSeconds: 1,
  });
  await pass(6_000);
  gateway.answer = answer;
  await pass(6_000);
  expect(gateway.bodies).toHaveLength(3);
  await pass(2_000);
  expect(await forwarding.find(hashOf(1))).toBeDefined();
});

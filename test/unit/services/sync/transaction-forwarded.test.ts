import { describe, expect, test } from "bun:test";
import { ExpectedTransactions, MAX_EXPECTED } from "#services/sync/pre-confirmed/expected.ts";
import { openHash, pendingWorld as world } from "#test/helpers/open-blocks.ts";

/** Polls for the pre-confirmed block. */
const looks = (asked: readonly string[]): number =>
  asked.filter((question) => question.startsWith("pre-confirmed")).length;

describe("a forwarded transaction", () => {
  test("is polled for immediately, and within 100 ms again until it is visible", async () => {
    const { open, pass, seen, source, main, close } = await world();
    const transactions = open.set(3, "a", [1n]);
    await pass(1_100, 10);
    main.tell({ kind: "transactionForwarded", hash: openHash(2n) });
    await pass(20, 10);
    transactions.push({ nonce: 2n });
    await pass(100, 10);
    expect(seen()).toEqual(["3: 1 2"]);
    source.asked.length = 0;
    await pass(2_000, 10);
    // Nothing is expected at this point.
    expect(looks(source.asked)).toBeLessThan(10);
    await close();
  });

  test("is looked for in accepted blocks if the gateway has no pre-confirmed one", async () => {
    const { chain, pass, latest, source, verifier, main, timer, close } = await world();
    await pass(3_000, 10);
    // Just after the newest block was requested.
    source.asked.length = 0;
    while (!source.asked.includes("head")) await pass(10, 10);
    const beganMs = timer.nowMs();
    chain.grow(1);
    verifier.learn(chain);
    main.tell({ kind: "transactionForwarded", hash: openHash(2n) });
    while (latest() < 3 && timer.nowMs() - beganMs < 5_000) await pass(10, 10);
    expect(timer.nowMs() - beganMs).toBeLessThan(300);
    await close();
  });

  test("once visible, is imported as soon as its pre-confirmed block is gone", async () => {
    const { chain, open, pass, seen, latest, source, verifier, timer, close } = await world();
    open.set(3, "a", [1n]);
    await pass(2_000, 10);
    expect(seen()).toEqual(["3: 1"]);
    source.asked.length = 0;
    while (!source.asked.includes("head")) await pass(10, 10);
    open.blocks.delete(3);
    chain.grow(1);
    verifier.learn(chain);
    const beganMs = timer.nowMs();
    while (latest() < 3 && timer.nowMs() - beganMs < 5_000) await pass(10, 10);
    expect(timer.nowMs() - beganMs).toBeLessThan(600);
    await close();
  });

  test("that the sequencer delays is soon polled for at the usual interval", async () => {
    const { open, pass, source, main, close } = await world();
    open.set(3, "a", []);
    await pass(1_000, 10);
    main.tell({ kind: "transactionForwarded", hash: openHash(2n) });
    source.asked.length = 0;
    await pass(1_000, 10);
    // Each poll requests the block and the next one.
    expect(looks(source.asked)).toBeGreaterThan(10);
    expect(looks(source.asked)).toBeLessThan(30);
    source.asked.length = 0;
    await pass(5_000, 10);
    expect(looks(source.asked)).toBeLessThan(23);
    await close();
  });

  test("causes at most 20 polls per second, for any number of them", async () => {
    const { open, pass, source, main, close } = await world();
    open.set(3, "a", []);
    await pass(1_000, 10);
    source.asked.length = 0;
    for (let i = 0; i < 500; i++) {
      main.tell({ kind: "transactionForwarded", hash: openHash(BigInt(100 + i)) });
      await pass(10, 10);
    }
    expect(looks(source.asked)).toBeGreaterThan(100);
    expect(looks(source.asked)).toBeLessThan(2 * 20 * 5 + 10);
    await close();
  });

  test("does not cause faster polls of a refused gateway", async () => {
    const { open, pass, source, main, messagesOf, close } = await world();
    await pass(1_000, 10);
    source.answerPreConfirmed = (number) => {
      const block = open.whole(Number(number));
      return block && { kind: "whole", block: { ...block, info: { ...block.info, number: 77 } } };
    };
    open.set(3, "a", [1n]);
    await pass(1_000, 10);
    expect(messagesOf("preConfirmedDropped")).not.toEqual([]);
    source.asked.length = 0;
    for (let i = 0; i < 50; i++) {
      main.tell({ kind: "transactionForwarded", hash: openHash(BigInt(100 + i)) });
      await pass(20, 10);
    }
    expect(looks(source.asked)).toBeLessThan(5);
    await close();
  });
});

test("bounds expected transactions, and the newest determines the delay", () => {
  let nowMs = 0;
  const seen = new Set<bigint>();
  let asked = 0;
  const isSeen = (hash: bigint): boolean => {
    asked++;
    return seen.has(hash);
  };
  const expected = new ExpectedTransactions({ isSeen, pollMs: 500, nowMs: () => nowMs });
  expect(expected.delayMs()).toBeUndefined();
  for (let hash = 0n; hash < 1_000n; hash++) expected.add(hash);
  nowMs = 400;
  expect([expected.delayMs(), asked]).toEqual([200, MAX_EXPECTED]);
  expected.add(0n);
  expect(expected.delayMs()).toBe(50);
  seen.add(0n);
  expect(expected.delayMs()).toBe(200);
  nowMs = 1_000;
  expect(expected.delayMs()).toBeUndefined();
});

import { describe, expect, test } from "bun:test";
import {
  ACCEPTED,
  FAILED,
  fill,
  LIMITS,
  occupied,
  REFUSED,
} from "#test/helpers/submission-gate-world.ts";

describe("a submission that ends without a fee", () => {
  const reasons = ["VALIDATION_FAILURE", "INVALID_TRANSACTION_NONCE", "UNEXPECTED_ERROR"] as const;
  test.each(reasons)("counts against its sender and its address: %s", async (code) => {
    const limits = { ...LIMITS, maxCount: 100, maxDoubtfulCount: 0 };
    const { outcomes, submit, answer } = await occupied(limits);
    void submit(1n, 10, 1, "a");
    while ((await answer(code === "UNEXPECTED_ERROR" ? REFUSED : { ...FAILED, code })) !== 10);
    while ((await answer(ACCEPTED)) !== -1);
    await fill(submit);
    for (const [sender, name, client] of [
      [1n, 11, "b"],
      [2n, 12, "a"],
    ] as const) {
      void submit(sender, name, 1, client);
      await Bun.sleep(0);
      expect(outcomes.get(name)).toMatchObject({ retryAfterSeconds: 1 });
    }
    void submit(2n, 13, 1, "b");
    await Bun.sleep(0);
    expect(outcomes.has(13)).toBe(false);
  });

  test.each([
    ["a busy node", { ...REFUSED, retryAfterSeconds: 3 }],
    ["a full mempool", { ...REFUSED, isNodeFull: true }],
    ["a duplicate", { ...FAILED, code: "DUPLICATE_TX" }],
  ] as const)("counts against nobody: %s", async (_, outcome) => {
    const limits = { ...LIMITS, maxCount: 100, maxDoubtfulCount: 0 };
    const { outcomes, submit, answer } = await occupied(limits);
    void submit(1n, 10, 1, "a");
    while ((await answer(outcome)) !== 10);
    while ((await answer(ACCEPTED)) !== -1);
    await fill(submit);
    void submit(1n, 11, 1, "a");
    await Bun.sleep(0);
    expect(outcomes.has(11)).toBe(false);
  });
});

describe("queued submissions from an address", () => {
  test("come after others once a submission from it ends without a fee", async () => {
    const { sent, submit, answer } = await occupied({ ...LIMITS, maxCount: 100 });
    // Expensive ones: two at a time are in progress.
    while ((await answer(ACCEPTED, 100)) !== -1);
    for (const name of [10, 11]) void submit(1n, name, 1, "a");
    for (let i = 0; i < 4; i++) void submit(BigInt(20 + i), 20 + i, 1, "a");
    for (let i = 0; i < 8; i++) void submit(BigInt(30 + i), 30 + i, 1, `b ${i}`);
    expect(sent.map(({ name }) => name)).toEqual([10, 11]);
    const names: number[] = [];
    for (let i = 0; i < 14; i++) names.push(await answer(i === 0 ? FAILED : ACCEPTED, 100));
    const places = [20, 30].map((first) => names.indexOf(first + 3));
    expect(places[0]).toBeGreaterThan(places[1] ?? 99);
  });
});

describe("a gate that shares its time by address", () => {
  /** Names of forwarded submissions, in order, while all succeed. */
  async function order(parts: Awaited<ReturnType<typeof occupied>>): Promise<number[]> {
    const names: number[] = [];
    for (let name = await parts.answer(ACCEPTED); name !== -1;) {
      if (name !== 200) names.push(name);
      name = await parts.answer(ACCEPTED);
    }
    return names;
  }

  test("gives all senders of an address one share, and proven ones one each", async () => {
    const shared = await occupied({ ...LIMITS, maxCount: 100 }, () => true, true);
    for (let i = 0; i < 6; i++) void shared.submit(BigInt(i + 1), 10 + i, 1, "a");
    for (let i = 0; i < 3; i++) void shared.submit(50n, 50 + i, 1, "b");
    const names = await order(shared);
    expect(names.slice(0, 6)).toEqual([10, 50, 11, 51, 12, 52]);
  });

  test("does not group senders by address if that is off", async () => {
    const apart = await occupied({ ...LIMITS, maxCount: 100 });
    for (let i = 0; i < 6; i++) void apart.submit(BigInt(i + 1), 10 + i, 1, "a");
    for (let i = 0; i < 3; i++) void apart.submit(50n, 50 + i, 1, "b");
    expect((await order(apart)).slice(0, 7)).toEqual([10, 11, 12, 13, 14, 15, 50]);
  });
});

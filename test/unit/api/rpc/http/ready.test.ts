import { describe, expect, test } from "bun:test";
import { type Following, readinessOf, readyReply } from "#api/rpc/http/index.ts";

const chain = { latestNumber: () => 7 };
const SERVING: Following = { highestBlock: undefined, isInSync: true, reason: undefined };

function answer(following: Following | null): readonly [number, unknown] {
  const { status, body } = readyReply("/ready", () => readinessOf(chain, following));
  return [status, JSON.parse(String(body))];
}

describe("GET /ready", () => {
  test("does not mention L1 while it is followed, or off", () => {
    expect(answer(null)).toEqual([200, { ready: true, block_number: 7, lag: 0 }]);
    expect(answer(SERVING)).toEqual([200, { ready: true, block_number: 7, lag: 0 }]);
  });

  test("is 200 with the reason while L1 is not followed", () => {
    const l1NotFollowed = "the endpoints contradict each other";
    expect(answer({ ...SERVING, l1NotFollowed })).toEqual([
      200,
      { ready: true, block_number: 7, lag: 0, l1_not_followed: l1NotFollowed },
    ]);
  });

  test("is 503 for another reason, and includes that of L1", () => {
    const following = { ...SERVING, reason: "a block is refused", l1NotFollowed: "nobody answers" };
    expect(answer(following)).toEqual([
      503,
      {
        ready: false,
        block_number: 7,
        lag: 0,
        reason: "a block is refused",
        l1_not_followed: "nobody answers",
      },
    ]);
  });
});

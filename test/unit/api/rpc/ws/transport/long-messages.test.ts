import { describe, expect, test } from "bun:test";
import { BODY_CHECK_MS, BodyBudget } from "#api/rpc/http/body-budget.ts";
import { wsConnection as connect } from "#test/helpers/ws-connection.ts";
import { clientFrame } from "#test/helpers/ws-frames.ts";
import { roomyBytes } from "#test/helpers/held-bytes.ts";

const turn = (): Promise<void> => Bun.sleep(0);

/** Long messages: the first one continues beyond a full budget, and the others wait. */
function full() {
  const budget = new BodyBudget(50_000, roomyBytes());
  const peers = [connect({ budget }), connect({ budget }), connect({ budget })] as const;
  for (const { send } of peers) send(long.subarray(0, 60_000));
  return { budget, peers };
}

const long = clientFrame("x".repeat(100_000));

describe("long message", () => {
  test("pauses its connection while the budget is spent", () => {
    const { budget, peers } = full();
    const [first, second, third] = peers;
    expect(peers.map(({ calls }) => calls)).toEqual([[], ["pause"], ["pause"]]);
    first.send(long.subarray(60_000));
    // The message counts until its text is released.
    expect([first.heard.length, second.calls]).toEqual([1, ["pause"]]);
    first.release();
    expect(second.calls).toEqual(["pause", "resume"]);
    for (const peer of [second, third]) {
      peer.send(long.subarray(60_000));
      peer.release();
      peer.release();
    }
    expect(peers.map(({ heard }) => heard.length)).toEqual([1, 1, 1]);
    expect([budget.size, budget.usedBytes]).toEqual([0, 0]);
  });

  test("frees its budget when its connection closes", () => {
    const { budget, peers } = full();
    const [first, second, third] = peers;
    first.connection.closed();
    expect(second.calls).toEqual(["pause", "resume"]);
    third.connection.closed();
    second.connection.closed();
    expect([budget.size, budget.usedBytes]).toEqual([0, 0]);
  });

  test("is closed as too slow only while others wait", async () => {
    const budget = new BodyBudget(50_000, roomyBytes());
    const first = connect({ budget });
    first.send(long.subarray(0, 60_000));
    for (let ms = 0; ms < 25_000; ms += BODY_CHECK_MS) budget.check(ms);
    expect(first.connection.isOpen).toBe(true);
    const others = [connect({ budget }), connect({ budget })];
    for (const { send } of others) send(long.subarray(0, 1_000));
    for (let ms = 25_000; ms < 25_500; ms += BODY_CHECK_MS) budget.check(ms);
    await turn();
    expect(first.closes()).toEqual([[1008, "the message takes too long"]]);
    expect(others.map(({ calls }) => calls.at(-1))).toEqual(["resume", "resume"]);
  });

  test("is closed if it waits for room longer than the message timeout", async () => {
    const { peers } = full();
    const [, , third] = peers;
    third.later(1_000);
    third.later(100_900);
    expect(third.connection.isOpen).toBe(true);
    third.later(101_100);
    await turn();
    expect(third.closes()).toEqual([[1008, "the message takes too long"]]);
  });

  test("gets its full timeout again after a pause", async () => {
    const { connection, send, later } = connect();
    send(clientFrame("begin", { isFinal: false }));
    const pausedMs = performance.now();
    connection.setFull(true);
    await Bun.sleep(20);
    connection.setFull(false);
    later(100_010);
    expect(connection.isOpen).toBe(true);
    // On a busy machine, the pause takes longer than 20 ms.
    later(100_100 + performance.now() - pausedMs);
    expect(connection.isOpen).toBe(false);
  });

  test("is closed if it takes longer than the message timeout", async () => {
    const { send, later, closes } = connect();
    send(clientFrame("begin", { isFinal: false }));
    later(101_000);
    await turn();
    expect(closes()).toEqual([[1008, "the message takes too long"]]);
  });
});

import { describe, expect, test } from "bun:test";
import { HeldAmount } from "#api/rpc/limits/held-amount.ts";
import type { HeldBytes } from "#api/rpc/limits/held-bytes.ts";
import { heldBytesWorld } from "#test/helpers/held-bytes.ts";

const MAX = 1_000_000;

const client = (address: string) => ({ address, isDisconnected: false });

/** Fills the budget with connections of an address, as long as they have room. */
function fill(held: HeldBytes, address: string, connections = 50, stepBytes = 1_000): void {
  const clients = Array.from({ length: connections }, () => client(address));
  for (let isFull = false; !isFull;) {
    isFull = true;
    for (const one of clients) {
      if (!held.hasRoom(one)) continue;
      held.change(one, stepBytes);
      isFull = false;
    }
  }
}

describe("HeldBytes", () => {
  test("counts bytes by address until they are freed", () => {
    const { held } = heldBytesWorld(MAX);
    const [a, b] = [client("a"), client("b")];
    held.change(a, 300);
    held.change(b, 40);
    held.change(a, -100);
    expect([held.bytes, held.bytesOf("a"), held.bytesOf("b")]).toEqual([240, 200, 40]);
    held.change(a, -200);
    expect([held.bytes, held.bytesOf("a")]).toEqual([40, 0]);
  });

  test("counts the latest value of an amount", () => {
    const { held } = heldBytesWorld(MAX);
    const amount = new HeldAmount(held, client("a"));
    amount.set(500);
    amount.set(200);
    expect(held.bytes).toBe(200);
    amount.set(0);
    expect(held.bytes).toBe(0);
  });

  test("grants most of the budget to one address while no other needs it", () => {
    const { held } = heldBytesWorld(MAX);
    fill(held, "a");
    expect(held.bytes).toBeGreaterThan(0.7 * MAX);
    expect(held.bytes).toBeLessThan(0.85 * MAX);
  });

  test("has room for another address however much the first one holds", () => {
    const { held } = heldBytesWorld(MAX);
    fill(held, "a");
    fill(held, "b");
    expect(held.bytesOf("b")).toBeGreaterThan(MAX / 10);
    expect(held.bytes).toBeLessThan(MAX);
  });

  test("has room for a connection that holds nothing, even if its address holds much", () => {
    const { held } = heldBytesWorld(MAX);
    const [hoarder, other] = [client("a"), client("a")];
    held.change(hoarder, 0.81 * MAX);
    expect([held.hasRoom(hoarder), held.hasRoom(other)]).toEqual([false, true]);
    held.change(hoarder, 0.05 * MAX);
    expect(held.hasRoom(other)).toBe(false);
  });

  test("has room for an address that holds almost nothing, however much another one holds", () => {
    const { held } = heldBytesWorld(MAX);
    const hoarder = client("a");
    held.change(hoarder, 9 * MAX);
    expect([held.hasRoom(hoarder), held.hasRoom(client("b"))]).toEqual([false, true]);
    held.change(client("c"), 1.4 * MAX);
    expect(held.hasRoom(client("b"))).toBe(true);
    held.change(client("d"), 0.2 * MAX);
    expect(held.hasRoom(client("b"))).toBe(false);
  });

  test("limits many addresses to two and a half times the budget", () => {
    const { held } = heldBytesWorld(MAX);
    for (let i = 0; i < 500; i++) fill(held, `address ${i}`, 2);
    expect(held.bytes).toBeLessThan(2.5 * MAX);
  });
});

describe("request that holds bytes and has no room", () => {
  /** Address whose first request holds its maximum, and another request of it. */
  function full(patienceMs?: number) {
    const world = heldBytesWorld(MAX, patienceMs);
    const { held } = world;
    const [first, second] = [client("a"), client("a")];
    const works = [held.begin(first), held.begin(second)] as const;
    for (const work of works) work.add(0.41 * MAX);
    return { ...world, first, second, works };
  }

  test("continues as the favoured one, one at a time", async () => {
    const { works, timer } = full();
    const [first, second] = works;
    expect(first.room()).toBe(true);
    let hasRoom: boolean | undefined;
    const waiting = Promise.resolve(second.room()).then((room) => (hasRoom = room));
    await Bun.sleep(0);
    expect(hasRoom).toBeUndefined();
    first.end();
    timer.advance(10);
    await waiting;
    expect(hasRoom).toBe(true);
  });

  test("passes its turn to the next one after a second", async () => {
    const { held, works, timer } = full();
    const [first, second] = works;
    expect(first.room()).toBe(true);
    const waiting = second.room();
    timer.advance(1_000);
    held.check();
    timer.advance(10);
    expect(await waiting).toBe(true);
    expect(first.room()).not.toBe(true);
  });

  test("keeps its turn to the end once the budget is spent", async () => {
    const { held, works, timer } = full();
    works[0].add(MAX);
    expect(works[0].room()).toBe(true);
    let hasRoom: boolean | undefined;
    const waiting = Promise.resolve(works[1].room()).then((room) => (hasRoom = room));
    timer.advance(2_000);
    held.check();
    timer.advance(10);
    await Bun.sleep(0);
    expect([hasRoom, works[0].room()]).toEqual([undefined, true]);
    works[0].end();
    timer.advance(10);
    await waiting;
    expect(hasRoom).toBe(true);
  });

  test("is refused once its patience is over", async () => {
    const { held, works, timer } = full(500);
    works[0].add(0.1 * MAX);
    expect(works[0].room()).toBe(true);
    const waiting = works[1].room();
    timer.advance(400);
    held.check();
    timer.advance(200);
    held.check();
    expect(await waiting).toBe(false);
  });

  test("is refused when its client disconnects", async () => {
    const { held, second, works } = full();
    works[0].add(0.1 * MAX);
    expect(works[0].room()).toBe(true);
    const waiting = works[1].room();
    second.isDisconnected = true;
    held.check();
    expect(await waiting).toBe(false);
    expect(await works[1].room()).toBe(false);
  });

  test("is favoured even if it holds almost nothing", () => {
    const { held } = heldBytesWorld(MAX);
    held.change(client("a"), 0.87 * MAX);
    const work = held.begin(client("a"));
    work.add(1);
    expect(work.room()).toBe(true);
  });

  test("is not favoured in a spent budget if it holds almost nothing, since its end would free nothing", () => {
    const { held } = heldBytesWorld(MAX);
    held.change(client("a"), 0.95 * MAX);
    const work = held.begin(client("a"));
    work.add(1);
    expect(work.room()).not.toBe(true);
    work.add(2_000);
    expect(work.room()).toBe(true);
  });

  test("frees its bytes once, however often it ends", () => {
    const { held, works } = full();
    works[0].end();
    works[0].end();
    works[0].add(5);
    expect(held.bytes).toBe(0.41 * MAX);
  });
});

test("HeldBytes notifies its listeners when bytes are freed after a shortage", () => {
  const { held, timer } = heldBytesWorld(MAX);
  const one = client("a");
  let notifications = 0;
  held.onFreed(() => notifications++);
  held.change(one, 1_000);
  held.change(one, -1_000);
  timer.advance(100);
  expect(notifications).toBe(0);
  held.change(one, MAX);
  held.change(one, -1);
  held.change(one, -1);
  timer.advance(100);
  expect(notifications).toBe(1);
});

test("HeldBytes calls its listeners while bytes are short", () => {
  const { held } = heldBytesWorld(MAX);
  const one = client("a");
  let called = 0;
  held.onShort(() => called++);
  held.change(one, 0.75 * MAX);
  held.check();
  expect(called).toBe(0);
  held.change(one, 1);
  held.check();
  expect(called).toBe(1);
});

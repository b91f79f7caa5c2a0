import { expect, test } from "bun:test";
import { UnsentBudget } from "#api/rpc/http/unsent-budget.ts";
import { heldBytesWorld, roomyBytes } from "#test/helpers/held-bytes.ts";

/** Clients with unsent bytes; a dropped client releases its share. */
function world(maxBytes: number, held = roomyBytes()) {
  const budget = new UnsentBudget(maxBytes, held);
  const dropped: string[] = [];
  const enter = (name: string, address: string) => {
    const share = budget.share({ address }, () => {
      dropped.push(name);
      share.release();
    });
    return share;
  };
  return { budget, dropped, enter };
}

test("UnsentBudget counts unsent bytes until they are sent or the client disconnects", () => {
  const { budget, dropped, enter } = world(100);
  const [first, second] = [enter("first", "a"), enter("second", "b")];
  first.change(60);
  second.change(40);
  first.change(-20);
  expect(budget.bytes).toBe(80);
  second.release();
  second.release();
  expect([budget.bytes, dropped]).toEqual([40, []]);
});

test("UnsentBudget drops a client of the address with the most unsent bytes when it overflows", () => {
  const { budget, dropped, enter } = world(100);
  const attackers = [enter("one", "a"), enter("two", "a"), enter("three", "a")];
  for (const [i, share] of attackers.entries()) share.change(20 + i);
  const honest = enter("honest", "b");
  honest.change(50);
  expect([dropped, budget.bytes]).toEqual([["three"], 91]);
});

test("UnsentBudget drops the slowest reader of an address", async () => {
  const { dropped, enter } = world(100);
  const [reader, sleeper] = [enter("reader", "a"), enter("sleeper", "a")];
  reader.change(70);
  sleeper.change(20);
  await Bun.sleep(1_050);
  reader.change(-20);
  enter("new", "a").change(50);
  expect(dropped).toEqual(["sleeper"]);
});

test("a share is slow when its client has read less than a minimum rate for a while", () => {
  const share = world(1e9).enter("a", "a");
  const nowMs = performance.now();
  expect(share.isSlow(nowMs + 1e6, 10_000)).toBe(false);
  share.change(10_000_000);
  share.change(-100_000);
  expect(share.isSlow(nowMs + 9_000, 10_000)).toBe(false);
  expect(share.isSlow(nowMs + 10_500, 10_000)).toBe(true);
  share.change(-1_000_000);
  expect(share.isSlow(nowMs + 10_500, 10_000)).toBe(false);
  share.change(-8_900_000);
  expect(share.isSlow(nowMs + 1e6, 10_000)).toBe(false);
});

test("UnsentBudget counts its bytes in the process-wide budget", () => {
  const { held } = heldBytesWorld(1_000);
  const share = world(1e9, held).enter("a", "a");
  share.change(300);
  share.change(-100);
  expect(held.bytesOf("a")).toBe(200);
  share.release();
  expect(held.bytes).toBe(0);
});

test("UnsentBudget drops clients that hardly read, not readers, while the process is short of bytes", async () => {
  const { held } = heldBytesWorld(1_000_000);
  const { dropped, enter } = world(1e9, held);
  const [reader, ...sleepers] = ["reader", "one", "two", "three"].map((name) => enter(name, "a"));
  for (const share of sleepers) share.change(200_000);
  reader?.change(300_000);
  held.check();
  expect(dropped).toEqual([]);
  await Bun.sleep(1_050);
  reader?.change(-100_000);
  held.check();
  // No more than needed.
  expect(dropped).toEqual(["one"]);
  held.check();
  expect(dropped).toEqual(["one"]);
});

test("UnsentBudget drops clients of any address that hardly read while the process is short of bytes", async () => {
  const { held } = heldBytesWorld(1_000);
  const { dropped, enter } = world(1e9, held);
  const [reader, sleeper, other] = [
    enter("reader", "a"),
    enter("sleeper", "a"),
    enter("other", "b"),
  ];
  reader.change(200_000);
  sleeper.change(400);
  other.change(500);
  await Bun.sleep(1_050);
  reader.change(-100_000);
  held.check();
  expect(dropped).toEqual(["sleeper", "other"]);
});

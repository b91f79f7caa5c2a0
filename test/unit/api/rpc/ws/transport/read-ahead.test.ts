import { describe, expect, test } from "bun:test";
import { ReadAhead } from "#api/rpc/ws/transport/read-ahead.ts";

const MIB = 1 << 20;
const client = (address = "192.0.2.1") => ({ address });

/** A limit with a test-controlled event loop and timer. */
function world(maxBytes = 4 * MIB) {
  const turns: (() => void)[] = [];
  const alarms: { ms: number; ring: () => void }[] = [];
  const granted: string[] = [];
  const ahead = new ReadAhead({
    maxBytes,
    later: (turn) => turns.push(turn),
    timer: {
      after(ms, ring) {
        alarms.push({ ms, ring });
        return () => undefined;
      },
    },
  });
  const reader = (name: string) => ({ granted: () => void granted.push(name) });
  return {
    ahead,
    alarms,
    granted,
    reader,
    waits: (name: string, count = 1, of = (): { address: string } => client()) => {
      for (let i = 0; i < count; i++) ahead.wait(of(), reader(name));
    },
    nextTurn: () => {
      for (const turn of turns.splice(0)) turn();
    },
    ring: () => {
      for (const { ring } of alarms.splice(0)) ring();
    },
  };
}

describe("ReadAhead", () => {
  test("is full at its limit, over all connections", () => {
    const { ahead } = world();
    ahead.change(3 * MIB);
    expect([ahead.isFull, ahead.isOpen]).toEqual([false, true]);
    ahead.change(MIB);
    expect([ahead.isFull, ahead.isOpen, ahead.bytes]).toEqual([true, false, 4 * MIB]);
    ahead.change(-1);
    expect([ahead.isFull, ahead.isOpen]).toEqual([false, true]);
  });

  test("grants one connection for each free 512 KiB in a turn, after the current one", () => {
    const { ahead, granted, waits, nextTurn } = world();
    ahead.change(4 * MIB);
    waits("a", 5);
    nextTurn();
    expect(granted.length).toBe(0);
    ahead.change(-MIB);
    expect(granted.length).toBe(0);
    nextTurn();
    expect(granted.length).toBe(2);
    nextTurn();
    expect(granted.length).toBe(4);
  });

  test("grants one connection if less than 512 KiB is free", () => {
    const { ahead, granted, waits, nextTurn } = world();
    ahead.change(4 * MIB);
    waits("a", 2);
    ahead.change(-1);
    nextTurn();
    expect(granted.length).toBe(1);
  });

  test("lets no connection pass those that wait", () => {
    const { ahead, waits, nextTurn } = world();
    ahead.change(4 * MIB);
    waits("a");
    ahead.change(-MIB);
    expect([ahead.isFull, ahead.isOpen]).toEqual([false, false]);
    nextTurn();
    expect(ahead.isOpen).toBe(true);
  });

  test("grants one connection every 20 ms while it stays full", () => {
    const { ahead, granted, waits, nextTurn, ring, alarms } = world();
    ahead.change(5 * MIB);
    waits("a", 3);
    expect(alarms.map(({ ms }) => ms)).toEqual([20]);
    ring();
    nextTurn();
    expect([granted.length, alarms.length]).toEqual([1, 1]);
    ring();
    ring();
    expect([granted.length, alarms.length]).toEqual([3, 0]);
  });

  test("prefers the address with fewer grants", () => {
    const { ahead, granted, waits, ring } = world();
    ahead.change(5 * MIB);
    waits("many", 10);
    ring();
    ring();
    waits("one", 1, () => client("192.0.2.2"));
    ring();
    expect(granted).toEqual(["many", "many", "one"]);
  });

  test("drops a connection that has ended", () => {
    const { ahead, granted, reader, nextTurn } = world();
    const [own, ended] = [client(), reader("ended")];
    ahead.change(4 * MIB);
    ahead.wait(own, ended);
    ahead.drop(own, ended);
    ahead.change(-MIB);
    nextTurn();
    expect([granted, ahead.isOpen]).toEqual([[], true]);
  });
});

import { describe, expect, test } from "bun:test";
import type { StateUpdateLog } from "#io/l1/index.ts";
import { FakeChain, headerOf, L1_BLOCK, L1_NEXT, updateOf } from "#test/helpers/l1-chain.ts";
import { watchOf } from "#test/helpers/l1-state-watch.ts";

for (const part of ["hash", "stateRoot"] as const) {
  test(`reports another ${part} on L1 once, and accepts nothing from there on`, async () => {
    const chain = new FakeChain(9);
    chain.accepted = 1;
    chain.changed.set(5, { ...headerOf(5), [part]: 0xbadn });
    const { watch, alarms } = watchOf(chain);
    watch.logs([
      updateOf(3, { number: 6, hash: 0x66n }, 0x333n),
      updateOf(5, L1_BLOCK, 0x555n),
      updateOf(7, L1_NEXT),
    ]);
    await watch.step();
    watch.logs([updateOf(8, L1_NEXT)]);
    await watch.step();
    watch.rewind();
    watch.logs([updateOf(5), updateOf(6, L1_NEXT)]);
    await watch.step();
    expect(chain.settled).toEqual([3]);
    expect(alarms).toHaveLength(1);
    expect(watch.mismatch).toBe(alarms[0]);
    expect(alarms[0]).toMatchObject({ kind: "state_mismatch", l1Block: L1_BLOCK });
    const text = alarms[0]?.message ?? "";
    const place = (transaction: string, block: string): string =>
      `(L1 transaction 0x${transaction.padStart(64, "0")} in L1 block ${block.padStart(64, "0")})`;
    const [hash, root] = part === "hash" ? ["0xbad", "0x2005"] : ["0x1005", "0xbad"];
    for (const expected of [
      `The last update that agrees is of block 3, root 0x2003 ${place("333", `6, 0x${"66".padStart(64, "0")}`)}.`,
      `first update that differs is of block 5 ${place("555", `7, 0x${"77".padStart(64, "0")}`)}`,
      "L1 has root 0x2005 and hash 0x1005",
      `this chain has root ${root} and hash ${hash}`,
      "revert this chain to block 3",
    ]) {
      expect(text).toContain(expected);
    }
    expect(text).not.toContain("\n");
  });
}

describe("the last update that agrees", () => {
  const alarmOf = async (
    accepted: number | undefined,
    updates: readonly (readonly StateUpdateLog[])[],
  ): Promise<string> => {
    const chain = new FakeChain(9);
    chain.accepted = accepted;
    chain.changed.set(8, { ...headerOf(8), stateRoot: 0xbadn });
    const { watch, alarms } = watchOf(chain);
    for (const some of updates) {
      watch.logs(some);
      await watch.step();
    }
    return alarms[0]?.message ?? "";
  };

  test("can be one of an earlier step", async () => {
    const text = await alarmOf(undefined, [[updateOf(2), updateOf(6)], [updateOf(8)]]);
    expect(text).toContain(
      "The last update that agrees is of block 6, root 0x2006 (L1 transaction",
    );
  });

  test("is the newest block accepted before this start if no later update agrees", async () => {
    const text = await alarmOf(4, [[updateOf(3)], [updateOf(8)]]);
    expect(text).toContain(
      "The last update that agrees is of block 4, root 0x2004 (accepted before this start).",
    );
    expect(text).toContain("revert this chain to block 4");
  });

  test("is absent if the first one differs", async () => {
    const text = await alarmOf(undefined, [[updateOf(8)]]);
    expect(text).toContain("No update agrees with it.");
    expect(text).toContain("this chain is not the one that L1 has");
  });

  test("is named even if its block could not be settled, and is settled later", async () => {
    const chain = new FakeChain(9);
    chain.refusals = 1;
    chain.changed.set(8, { ...headerOf(8), stateRoot: 0xbadn });
    const { watch, alarms } = watchOf(chain);
    watch.logs([updateOf(6), updateOf(8), updateOf(9, L1_NEXT)]);
    await watch.step();
    expect(alarms[0]?.message).toContain("The last update that agrees is of block 6");
    expect(chain.settled).toEqual([]);
    await watch.step();
    await watch.step();
    expect(chain.settled).toEqual([6]);
    expect(alarms).toHaveLength(1);
  });
});

test("locates a difference seen only in the core contract by its L1 block", async () => {
  const chain = new FakeChain(9);
  chain.changed.set(8, { ...headerOf(8), stateRoot: 0xbadn });
  const { watch, alarms } = watchOf(chain);
  watch.coreState(updateOf(8), L1_BLOCK);
  await watch.step();
  expect(alarms[0]?.message).toContain("(state of the core contract at L1 block 7)");
});

test("names the transaction of a difference even if its log is read after the contract's state", async () => {
  const chain = new FakeChain(2);
  chain.changed.set(8, { ...headerOf(8), stateRoot: 0xbadn });
  const { watch, alarms } = watchOf(chain);
  watch.coreState(updateOf(8), L1_BLOCK);
  watch.logs([updateOf(8, L1_BLOCK, 0x888n)]);
  chain.latest = 9;
  await watch.step();
  expect(alarms[0]?.message).toContain(`L1 transaction 0x${"888".padStart(64, "0")}`);
});

import { describe, expect, test } from "bun:test";
import type { StateReport, StateUpdateLog } from "#io/l1/index.ts";
import { FakeChain, L1_BLOCK, L1_NEXT, updateOf } from "#test/helpers/l1-chain.ts";
import { watchOf } from "#test/helpers/l1-state-watch.ts";

const TRANSACTION = 0x5e771edn;
/** Settled a wrong root of block 5. */
const WRONG: StateUpdateLog = { ...updateOf(5, L1_BLOCK, TRANSACTION), stateRoot: 0xbadn };
const LATER = { number: 9, hash: 0x99n };

describe("an update that the operator accepts", () => {
  test("stops nothing, makes no block accepted, and the next one that agrees does", async () => {
    const chain = new FakeChain(9);
    const { watch, alarms, events } = watchOf(chain, [TRANSACTION]);
    watch.logs([updateOf(3), WRONG]);
    watch.coreState(WRONG, L1_BLOCK);
    await watch.step();
    expect([chain.settled, alarms]).toEqual([[3], []]);
    expect(events).toMatchObject([{ kind: "passed_over", update: { blockNumber: 5n } }]);
    for (const l1Block of [L1_NEXT, LATER]) {
      watch.coreState(WRONG, l1Block);
      await watch.step();
    }
    expect([chain.settled, alarms, events.length]).toEqual([[3], [], 1]);
    watch.logs([updateOf(7, LATER)]);
    await watch.step();
    expect([chain.settled, alarms]).toEqual([[3, 7], []]);
  });

  test("is that of exactly its transaction", async () => {
    const { watch, alarms } = watchOf(new FakeChain(9), [TRANSACTION + 1n]);
    watch.logs([WRONG]);
    await watch.step();
    expect(alarms).toHaveLength(1);
    expect(alarms[0]?.message).toContain(
      `--l1-accept-divergence 0x${TRANSACTION.toString(16).padStart(64, "0")}`,
    );
  });

  test("does not accept another one after it", async () => {
    const { watch, alarms } = watchOf(new FakeChain(9), [TRANSACTION]);
    watch.logs([WRONG, { ...updateOf(7, L1_NEXT, 0x2n), stateRoot: 0xbad7n }]);
    await watch.step();
    expect(alarms[0]?.message).toContain("of block 7");
  });

  test("is accepted as usual where it agrees", async () => {
    const chain = new FakeChain(9);
    const { watch, events } = watchOf(chain, [TRANSACTION]);
    watch.logs([updateOf(5, L1_BLOCK, TRANSACTION)]);
    await watch.step();
    expect([chain.settled, events]).toEqual([[5], []]);
  });

  test("is passed over again after a reset", async () => {
    const { watch, alarms, events } = watchOf(new FakeChain(9), [TRANSACTION]);
    for (let i = 0; i < 2; i++) {
      watch.logs([WRONG]);
      watch.counted({ block: L1_BLOCK, head: L1_BLOCK });
      await watch.step();
      watch.reset();
    }
    expect([alarms, events.length]).toEqual([[], 2]);
  });

  /** Endpoints that have the wrong state and, so many of two, the receipt of the transaction. */
  const knownByState = async (receipts: number) => {
    const chain = new FakeChain(9);
    const watched = watchOf(chain, [TRANSACTION]);
    const asked: (readonly bigint[])[] = [];
    watched.watch.ask = (_, transactions) => {
      asked.push(transactions);
      return Promise.resolve(
        ["http://a", "http://b"].map((endpoint, index): StateReport => {
          const report = watched.watch.report(endpoint, LATER.number);
          if (report.kind === "silent") return report;
          return { ...report, named: index < receipts ? [WRONG] : [] };
        }),
      );
    };
    watched.watch.coreState(WRONG, LATER);
    await watched.watch.step();
    expect(asked).toEqual([[TRANSACTION]]);
    return watched;
  };

  test("is found by its receipt where its log is older than what is read", async () => {
    const { alarms, events } = await knownByState(2);
    expect(alarms).toEqual([]);
    expect(events.map(({ kind }) => kind)).toEqual(["passed_over"]);
  });

  test("is not found by a minority's receipt", async () => {
    const { alarms } = await knownByState(1);
    expect(alarms).toHaveLength(1);
  });
});

describe("an L1 that is put back to an earlier block", () => {
  test("by the core contract's state makes no alarm of what it had", async () => {
    const chain = new FakeChain(9);
    const { watch, alarms, events } = watchOf(chain);
    watch.logs([updateOf(3), WRONG]);
    watch.coreState(updateOf(3), L1_NEXT);
    await watch.step();
    expect([chain.settled, alarms]).toEqual([[3], []]);
    expect(events).toMatchObject([{ kind: "replaced", update: { blockNumber: 5n } }]);
  });

  test("and settled the same block again is believed the second time", async () => {
    const chain = new FakeChain(9);
    const { watch, alarms } = watchOf(chain);
    watch.logs([updateOf(3), WRONG, updateOf(5, L1_NEXT)]);
    await watch.step();
    expect([chain.settled, alarms]).toEqual([[3, 5], []]);
  });

  test("of a chain that was reverted lets it go on", async () => {
    const chain = new FakeChain(4);
    const { watch, alarms } = watchOf(chain);
    watch.logs([updateOf(3), WRONG]);
    watch.coreState(updateOf(3), L1_NEXT);
    await watch.step();
    chain.latest = 9;
    watch.logs([updateOf(6, LATER)]);
    await watch.step();
    expect([chain.settled, alarms]).toEqual([[3, 6], []]);
  });

  test("and settled the same wrong root again is an alarm", async () => {
    const { watch, alarms } = watchOf(new FakeChain(9));
    watch.logs([WRONG, updateOf(3, L1_NEXT), { ...WRONG, l1Block: LATER }]);
    await watch.step();
    expect(alarms[0]).toMatchObject({ l1Block: LATER });
  });

  test("leaves what it had and the chain agrees with accepted", async () => {
    const chain = new FakeChain(9);
    const { watch } = watchOf(chain);
    watch.logs([updateOf(6), updateOf(3, L1_NEXT)]);
    await watch.step();
    expect(chain.settled).toEqual([6]);
  });

  test("is no other L1 while it only goes on", async () => {
    const { watch, events } = watchOf(new FakeChain(9));
    watch.logs([updateOf(3), updateOf(4), updateOf(5, L1_NEXT)]);
    watch.coreState(updateOf(5), L1_NEXT);
    await watch.step();
    expect(events).toEqual([]);
  });
});

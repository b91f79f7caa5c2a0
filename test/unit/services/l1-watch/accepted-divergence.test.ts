import { describe, expect, test } from "bun:test";
import type { StateReport, StateUpdateLog } from "#io/l1/index.ts";
import { FakeChain, L1_BLOCK, L1_NEXT, updateOf } from "#test/helpers/l1-chain.ts";
import { watchOf } from "#test/helpers/l1-state-watch.ts";

const TRANSACTION = 0x5e771edn;
/** Settles a wrong root of block 5. */
const WRONG: StateUpdateLog = { ...updateOf(5, L1_BLOCK, TRANSACTION), stateRoot: 0xbadn };
const LATER = { number: 9, hash: 0x99n };

describe("an accepted divergent update", () => {
  test("raises no alarm and settles no block, and the next update that agrees does", async () => {
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

  test("is identified by its exact transaction", async () => {
    const { watch, alarms } = watchOf(new FakeChain(9), [TRANSACTION + 1n]);
    watch.logs([WRONG]);
    await watch.step();
    expect(alarms).toHaveLength(1);
    expect(alarms[0]?.message).toContain(
      `--l1-accept-divergence 0x${TRANSACTION.toString(16).padStart(64, "0")}`,
    );
  });

  test("does not cover a later divergent update", async () => {
    const { watch, alarms } = watchOf(new FakeChain(9), [TRANSACTION]);
    watch.logs([WRONG, { ...updateOf(7, L1_NEXT, 0x2n), stateRoot: 0xbad7n }]);
    await watch.step();
    expect(alarms[0]?.message).toContain("of block 7");
  });

  test("is settled as usual if it agrees", async () => {
    const chain = new FakeChain(9);
    const { watch, events } = watchOf(chain, [TRANSACTION]);
    watch.logs([updateOf(5, L1_BLOCK, TRANSACTION)]);
    await watch.step();
    expect([chain.settled, events]).toEqual([[5], []]);
  });

  test("is skipped again after a reset", async () => {
    const { watch, alarms, events } = watchOf(new FakeChain(9), [TRANSACTION]);
    for (let i = 0; i < 2; i++) {
      watch.logs([WRONG]);
      watch.counted({ block: L1_BLOCK, head: L1_BLOCK });
      await watch.step();
      watch.reset();
    }
    expect([alarms, events.length]).toEqual([[], 2]);
  });

  /** Endpoints with the wrong state, `receipts` of which have the transaction's receipt. */
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

  test("is identified by its receipt if its log is older than the range read", async () => {
    const { alarms, events } = await knownByState(2);
    expect(alarms).toEqual([]);
    expect(events.map(({ kind }) => kind)).toEqual(["passed_over"]);
  });

  test("is not identified by a minority's receipt", async () => {
    const { alarms } = await knownByState(1);
    expect(alarms).toHaveLength(1);
  });
});

describe("an L1 reset to an earlier block", () => {
  test("according to the core contract's state raises no alarm for a removed update", async () => {
    const chain = new FakeChain(9);
    const { watch, alarms, events } = watchOf(chain);
    watch.logs([updateOf(3), WRONG]);
    watch.coreState(updateOf(3), L1_NEXT);
    await watch.step();
    expect([chain.settled, alarms]).toEqual([[3], []]);
    expect(events).toMatchObject([{ kind: "replaced", update: { blockNumber: 5n } }]);
  });

  test("that settles the same block again is trusted the second time", async () => {
    const chain = new FakeChain(9);
    const { watch, alarms } = watchOf(chain);
    watch.logs([updateOf(3), WRONG, updateOf(5, L1_NEXT)]);
    await watch.step();
    expect([chain.settled, alarms]).toEqual([[3, 5], []]);
  });

  test("of a reverted chain lets it continue", async () => {
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

  test("that settles the same wrong root again raises an alarm", async () => {
    const { watch, alarms } = watchOf(new FakeChain(9));
    watch.logs([WRONG, updateOf(3, L1_NEXT), { ...WRONG, l1Block: LATER }]);
    await watch.step();
    expect(alarms[0]).toMatchObject({ l1Block: LATER });
  });

  test("keeps an earlier block accepted if the chain agrees with it", async () => {
    const chain = new FakeChain(9);
    const { watch } = watchOf(chain);
    watch.logs([updateOf(6), updateOf(3, L1_NEXT)]);
    await watch.step();
    expect(chain.settled).toEqual([6]);
  });

  test("is not reported while the block number only rises", async () => {
    const { watch, events } = watchOf(new FakeChain(9));
    watch.logs([updateOf(3), updateOf(4), updateOf(5, L1_NEXT)]);
    watch.coreState(updateOf(5), L1_NEXT);
    await watch.step();
    expect(events).toEqual([]);
  });
});

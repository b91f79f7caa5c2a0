import { describe, expect } from "bun:test";
import { QUIET_MS } from "#services/sequencer/index.ts";
import { testBlockHash } from "#test/helpers/blocks.ts";
import { BLOCK_TIME_MS, executorWorld } from "#test/helpers/executor-world.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { SENDER } from "#test/helpers/transfer-chain.ts";

const BY_CLOCK = { onDemand: false, noEmptyBlocks: false };
/** One transaction per block. */
const SMALL = { bouncer: { limits: { transactionCount: 1n } } };

describe("a sealed block", () => {
  sharedTest("is transferred to the committer without a copy", () => {
    const world = executorWorld();
    world.service.start();
    world.timer.advance(5);
    const hashes = world.batch([0n, 1n]);
    const [sealed] = world.sealed();
    expect(world.committer.moved.at(-1)).toBe(1);
    expect(sealed?.message).toMatchObject({ kind: "sealed", attempt: 1, productionSeconds: 0 });
    expect(sealed?.draft.info.number).toBe(5);
    expect(sealed?.draft.transactions.map(({ hash }) => hash)).toEqual(hashes);
    expect(sealed?.draft.stateDiff.nonces.get(SENDER)).toBe(2n);
  });

  sharedTest("reports how long it was open", () => {
    const world = executorWorld({ schedule: BY_CLOCK });
    world.service.start();
    world.timer.advance(BLOCK_TIME_MS);
    expect(world.sealed()[0]?.message.productionSeconds).toBe(BLOCK_TIME_MS / 1000);
  });

  sharedTest("is the base of the next block", () => {
    const world = executorWorld();
    world.service.start();
    world.batch([0n]);
    world.accept(5, 0);
    world.batch([1n]);
    const drafts = world.sealed().map(({ draft }) => draft);
    expect(drafts.map(({ info }) => info.number)).toEqual([5, 6]);
    expect(drafts.map(({ stateDiff }) => stateDiff.nonces.get(SENDER))).toEqual([1n, 2n]);
  });

  sharedTest("is read from the database once accepted", () => {
    const world = executorWorld();
    world.service.start();
    world.batch([0n]);
    world.accept(5, 0);
    expect(world.reads).not.toContain(5);
    world.batch([1n]);
    expect(world.reads).toContain(5);
  });

  sharedTest("is never newer than the next one, whatever the clock does", () => {
    const clock = { now: 1_700_000_900_000, nowMs: () => clock.now };
    const world = executorWorld({ schedule: BY_CLOCK, clock });
    world.service.start();
    clock.now -= 60_000;
    for (const _ of [5, 6]) world.timer.advance(BLOCK_TIME_MS);
    const timestamps = world.sealed().map(({ draft }) => draft.info.timestamp);
    expect(timestamps).toEqual([1_700_000_900, 1_700_000_900]);
  });

  sharedTest("is full when a transaction does not fit, and the rest is given back", () => {
    const world = executorWorld({ schedule: BY_CLOCK, production: SMALL, batchSize: 3 });
    world.service.start();
    const [first, ...rest] = world.batch([0n, 1n, 2n]);
    const executed = world.settled().find(({ included }) => included.length > 0);
    expect(executed).toMatchObject({ included: [first], requeued: rest });
    expect(world.sealed()).toHaveLength(1);
  });

  sharedTest("is sealed at the latest after a quiet time", () => {
    const world = executorWorld();
    world.service.start();
    world.batch([0n]);
    world.accept(5, 1);
    world.batch([1n]);
    expect(world.sealed()).toHaveLength(1);
    world.timer.advance(QUIET_MS - 1);
    expect(world.sealed()).toHaveLength(1);
    world.timer.advance(1);
    expect(world.sealed()).toHaveLength(2);
  });

  sharedTest("waits for one commit duration if nothing else arrives", () => {
    const world = executorWorld();
    world.service.start();
    world.batch([0n]);
    world.accept(5, 0.01);
    world.timer.advance(2);
    world.batch([1n], 1, 5);
    world.timer.advance(7);
    world.batch([2n]);
    expect(world.sealed()).toHaveLength(1);
    world.timer.advance(1);
    expect(world.sealed()[1]?.draft.transactions).toHaveLength(2);
  });

  sharedTest("replaces a later alarm with an earlier one", () => {
    const world = executorWorld();
    world.service.start();
    world.batch([0n]);
    world.accept(5, 0.01);
    world.batch([1n], 1, 5);
    world.batch([2n]);
    world.service.stop();
    expect(world.timer.alarms).toBe(0);
  });

  sharedTest("gathers transactions for two commit durations while more arrive", () => {
    const world = executorWorld();
    world.service.start();
    world.batch([0n]);
    world.accept(5, 0.1);
    world.timer.advance(199);
    world.batch([1n], 1, 1);
    expect(world.sealed()).toHaveLength(1);
    world.timer.advance(1);
    world.batch([2n], 1, 1);
    expect(world.sealed()).toHaveLength(2);
  });

  sharedTest("knows the hash of the block ten before, which was accepted meanwhile", () => {
    const world = executorWorld({ schedule: BY_CLOCK, latest: 9 });
    world.service.start();
    for (let number = 10; number < 21; number++) {
      world.timer.advance(BLOCK_TIME_MS);
      world.accept(number);
    }
    const written = world.sealed().map(({ draft: { info, stateDiff } }) => {
      return stateDiff.storageDiffs.get(1n)?.get(BigInt(info.number - 10));
    });
    expect(written).toEqual(Array.from({ length: 11 }, (_, i) => testBlockHash(i)));
  });
});

import { describe, expect } from "bun:test";
import { decodePendingDelta } from "#engine/state/index.ts";
import { MAX_UNCOMMITTED_BLOCKS } from "#services/sequencer/index.ts";
import { BATCH_PAUSE_MS } from "#services/sequencer/pull-pace.ts";
import { testHeader } from "#test/helpers/blocks.ts";
import { BLOCK_TIME_MS, executorWorld } from "#test/helpers/executor-world.ts";
import { sharedTest } from "#test/helpers/shared.ts";

const BY_CLOCK = { onDemand: false, noEmptyBlocks: false };

const hex = (hash: bigint | undefined): string => hash?.toString(16) ?? "";

describe("an executor", () => {
  sharedTest("requests a batch of the configured size from admission", () => {
    const world = executorWorld({ batchSize: 7 });
    world.service.start();
    expect(world.admission.sent).toEqual([{ kind: "take", max: 7 }]);
  });

  sharedTest("receives messages from before its start", () => {
    const world = executorWorld();
    const hashes = world.batch([0n]);
    world.service.start();
    expect(world.settled().flatMap(({ included }) => included)).toEqual(hashes);
  });

  sharedTest("starts an empty chain with block 0", () => {
    const world = executorWorld({ schedule: BY_CLOCK, latest: -1 });
    world.service.start();
    expect(world.main.sent[0]?.blockNumber).toBe(0);
  });

  sharedTest("continues after the newest accepted block, and not before its time", () => {
    const clock = { nowMs: () => 1_600_000_000_000 };
    const world = executorWorld({ schedule: BY_CLOCK, latest: 4, clock });
    world.service.start();
    const opened = decodePendingDelta(world.main.sent[0]?.bytes ?? new Uint8Array());
    expect(opened.info).toMatchObject({ number: 5, timestamp: testHeader(4).timestamp });
  });

  sharedTest("reports every transaction of a batch to admission", () => {
    const world = executorWorld({ schedule: BY_CLOCK });
    world.service.start();
    const [first] = world.batch([0n]);
    const [ahead, stale] = world.batch([7n, 0n]);
    const [, one, two] = world.settled();
    expect(one).toMatchObject({ included: [first], rejected: [], requeued: [] });
    expect(two).toMatchObject({ delta: null, included: [], requeued: [ahead] });
    expect(two?.rejected).toMatchObject([{ hash: stale, code: "INVALID_NONCE" }]);
    expect(two?.rejected[0]?.reason).not.toBe("");
  });

  sharedTest("sends a delta to every reader, the main thread last", () => {
    const world = executorWorld({ schedule: BY_CLOCK });
    world.service.start();
    world.log.length = 0;
    world.batch([0n]);
    const sends = world.log.filter((line) => line.includes(":"));
    expect(sends.slice(0, 5)).toEqual([
      "committer: delta",
      "query-0: delta",
      "query-1: delta",
      "admission: settled",
      "main: delta",
    ]);
    const deltas = [...world.readers, world.main].map(({ sent }) => sent.at(-1));
    expect(new Set(deltas).size).toBe(1);
    const { blockNumber, sequence, transactions } = decodePendingDelta(
      deltas[0]?.bytes ?? new Uint8Array(),
    );
    expect([blockNumber, sequence, transactions.length]).toEqual([5, 1, 1]);
    expect(deltas[0]).toMatchObject({ kind: "delta", blockNumber: 5, sequence: 1 });
  });

  sharedTest("sends a batch together with the seal of its block if both coincide", () => {
    const world = executorWorld();
    world.service.start();
    world.log.length = 0;
    const [first] = world.batch([0n]);
    expect(world.log.filter((line) => line.includes(":")).slice(0, 6)).toEqual([
      "committer: delta",
      "query-0: delta",
      "query-1: delta",
      "admission: settled",
      "main: delta",
      "committer: sealed",
    ]);
    const delta = decodePendingDelta(world.main.sent.at(-1)?.bytes ?? new Uint8Array());
    expect(delta).toMatchObject({ blockNumber: 5, sequence: 0, sealed: true });
    expect(delta.transactions.map(({ hash }) => hash)).toEqual([first ?? 0n]);
    expect(delta.diff).toEqual(world.sealed()[0]?.draft.stateDiff ?? delta.diff);
    // Rejections of others are sent with it.
    world.accept(5, 0);
    const [next, ahead, stale] = world.batch([1n, 9n, 0n]);
    const settled = world.settled().at(-1);
    expect(settled).toMatchObject({ included: [next], requeued: [ahead] });
    expect(settled?.rejected).toMatchObject([{ hash: stale }]);
    expect(settled?.delta).toMatchObject({ blockNumber: 6, sequence: 0 });
  });

  sharedTest("reports nothing twice", () => {
    const world = executorWorld();
    world.service.start();
    world.batch([0n, 7n]);
    world.accept(5, 0);
    world.batch([1n]);
    expect(world.settled().at(-1)).toMatchObject({ requeued: [], rejected: [] });
    expect(world.settled().flatMap(({ included }) => included)).toHaveLength(2);
  });

  sharedTest(
    "records each transaction before its execution, and blocks while they are made",
    () => {
      const world = executorWorld({ schedule: BY_CLOCK });
      world.service.start();
      world.log.length = 0;
      const hashes = world.batch([0n, 1n]);
      const notes = world.log.filter((line) => !line.includes(":"));
      expect(notes).toEqual([
        `begin ${hex(hashes[0])} 1`,
        `begin ${hex(hashes[1])} 1`,
        "begin 0 1",
        "end",
      ]);
      // Sending to readers is still part of the work.
      expect(world.log.indexOf("main: delta")).toBeLessThan(world.log.indexOf("end"));
      world.log.length = 0;
      world.timer.advance(BLOCK_TIME_MS);
      const begun = world.log.indexOf("begin 0 1");
      expect(world.log.slice(begun, begun + 2)).toEqual(["begin 0 1", "committer: delta"]);
      expect(world.log.indexOf("end")).toBeLessThan(world.log.indexOf("committer: sealed"));
    },
  );
});

describe("a transaction that may end the process", () => {
  sharedTest("is alone in its block, and both threads know the attempt", () => {
    const world = executorWorld({ schedule: BY_CLOCK });
    world.service.start();
    world.batch([0n]);
    const [quarantined] = world.batch([1n], 3);
    // The block before it, and its own.
    world.accept(5);
    world.accept(5);
    world.batch([2n]);
    world.timer.advance(BLOCK_TIME_MS);
    // Before its execution, after it, and at the seal of its block.
    const notes = world.log.filter((line) => line.startsWith(`begin ${hex(quarantined)} `));
    expect(notes).toEqual(Array.from({ length: 3 }, () => `begin ${hex(quarantined)} 3`));
    const blocks = world.sealed().map(({ message, draft }) => ({
      attempt: message.attempt,
      count: draft.transactions.length,
    }));
    expect(blocks).toEqual([
      { attempt: 1, count: 1 },
      { attempt: 3, count: 1 },
      { attempt: 1, count: 1 },
    ]);
  });
});

describe("a transaction that is given back", () => {
  sharedTest("ends the sleep", () => {
    const world = executorWorld();
    world.service.start();
    world.batch([]);
    const [ahead] = world.batch([7n]);
    expect(world.settled().at(-1)).toMatchObject({ delta: null, requeued: [ahead] });
    world.timer.advance(BATCH_PAUSE_MS);
    expect(world.takes()).toBe(2);
  });
});

describe("while the committer is too far behind", () => {
  sharedTest("gives back arriving transactions, and requests none", () => {
    const world = executorWorld();
    world.service.start();
    for (let i = 0; i < MAX_UNCOMMITTED_BLOCKS; i++) {
      world.batch([BigInt(i)]);
      world.timer.advance(BLOCK_TIME_MS);
    }
    expect(world.sealed()).toHaveLength(MAX_UNCOMMITTED_BLOCKS);
    const takes = world.takes();
    const hashes = world.batch([8n, 9n]);
    expect(world.settled().at(-1)).toEqual({
      kind: "settled",
      delta: null,
      included: [],
      rejected: [],
      requeued: hashes,
    });
    world.timer.advance(BLOCK_TIME_MS);
    expect([world.takes(), world.sealed().length]).toEqual([takes, MAX_UNCOMMITTED_BLOCKS]);
    world.accept(5);
    expect(world.takes()).toBe(takes + 1);
  });
});

describe("a stopped executor", () => {
  sharedTest("does nothing and leaves no alarm behind", () => {
    const world = executorWorld();
    world.service.start();
    world.batch([0n]);
    world.batch([1n], 1, 1);
    expect(world.timer.alarms).toBe(3);
    world.service.stop();
    world.log.length = 0;
    world.reads.length = 0;
    expect(world.timer.alarms).toBe(0);
    world.batch([2n]);
    world.accept(5);
    world.admission.tell({ kind: "wake", coming: 0 });
    world.timer.advance(2 * BLOCK_TIME_MS);
    // The database may be closed.
    expect([world.log, world.reads]).toEqual([[], []]);
  });
});

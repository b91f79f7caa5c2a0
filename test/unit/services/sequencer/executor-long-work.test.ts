import { describe, expect } from "bun:test";
import { BATCH_PAUSE_MS } from "#services/sequencer/pull-pace.ts";
import { LONG_MS } from "#services/sequencer/long-work.ts";
import { BLOCK_TIME_MS, executorWorld } from "#test/helpers/executor-world.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { SENDER } from "#test/helpers/transfer-chain.ts";

const BY_CLOCK = { onDemand: false, noEmptyBlocks: false };
const SMALL = { senders: null };

/** An executor whose transactions take this processor time each. */
function world(tookMs: number) {
  let nowMs = 0;
  const made = executorWorld({
    schedule: BY_CLOCK,
    batchSize: 7,
    processorMs: () => (nowMs += tookMs),
  });
  made.service.start();
  const takes = () => made.admission.sent.filter(({ kind }) => kind === "take");
  return { ...made, takes };
}

describe("an executor with long transactions", () => {
  sharedTest("ends a batch with the first one and gives back what is left", () => {
    const made = world(LONG_MS);
    const [first, ...rest] = made.batch([0n, 1n, 2n]);
    expect(made.settled().at(-1)).toMatchObject({ included: [first], givenBack: rest });
  });

  sharedTest("does not end a batch for shorter ones", () => {
    const made = world(1);
    const hashes = made.batch([0n, 1n, 2n]);
    expect(made.settled().at(-1)).toMatchObject({ included: hashes, givenBack: [] });
    made.timer.advance(BATCH_PAUSE_MS);
    expect(made.takes().at(-1)).toEqual({ kind: "take", max: 7 });
  });

  sharedTest("asks for small ones next, then for those of others, then for all", () => {
    const made = world(2 * LONG_MS - 50);
    made.batch([0n]);
    made.timer.advance(BATCH_PAUSE_MS);
    const expected = [
      { kind: "take", max: 7, heldBack: SMALL },
      { kind: "take", max: 7, heldBack: { senders: [SENDER] } },
      { kind: "take", max: 7 },
    ];
    for (let i = 1; i <= expected.length; i++) {
      expect(made.takes().slice(1)).toEqual(expected.slice(0, i) as never);
      if (i < expected.length) made.batch([]);
    }
    const [hash] = made.batch([1n]);
    expect(made.settled().at(-1)).toMatchObject({ included: [hash], givenBack: [] });
  });

  sharedTest("takes no further one in a block where they took half of its time", () => {
    const made = world(BLOCK_TIME_MS / 2);
    made.batch([0n]);
    made.timer.advance(BATCH_PAUSE_MS);
    expect(made.takes().at(-1)).toMatchObject({ heldBack: SMALL });
    made.batch([]);
    expect(made.takes()).toHaveLength(2);
    made.timer.advance(2 * BLOCK_TIME_MS);
    expect(made.sealed()).not.toHaveLength(0);
    made.batch([]);
    expect(made.takes().length).toBeGreaterThan(3);
  });

  sharedTest("executes nothing of a batch that was asked for before they were known", () => {
    const made = world(LONG_MS + 1);
    // A full batch: the next one is asked for while it is executed.
    made.batch([0n, 1n, 2n, 3n, 4n, 5n, 6n]);
    const early = made.batch([1n, 2n]);
    expect(made.settled().at(-1)).toMatchObject({ included: [], givenBack: early });
  });
});

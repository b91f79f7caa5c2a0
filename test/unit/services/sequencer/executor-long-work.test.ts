import { describe, expect } from "bun:test";
import { BATCH_PAUSE_MS, SLEEP_MS } from "#services/sequencer/pull-pace.ts";
import { LONG_MS } from "#services/sequencer/long-work.ts";
import { BLOCK_TIME_MS, executorWorld } from "#test/helpers/executor-world.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { SENDER } from "#test/helpers/transfer-chain.ts";

const BY_CLOCK = { onDemand: false, noEmptyBlocks: false };

/** The request after the sender has recently used much time. */
const asked = (level: number) => ({
  kind: "take" as const,
  max: 7,
  precedence: { levels: new Map([[SENDER, level]]), isTurnOfOthers: false, holdsBackLarge: false },
});

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
  sharedTest("ends a batch after the first one and gives back the rest", () => {
    const made = world(LONG_MS);
    const [first, ...rest] = made.batch([0n, 1n, 2n]);
    expect(made.settled().at(-1)).toMatchObject({ included: [first], requeued: rest });
  });

  sharedTest("does not end a batch for shorter ones", () => {
    const made = world(1);
    const hashes = made.batch([0n, 1n, 2n]);
    expect(made.settled().at(-1)).toMatchObject({ included: hashes, requeued: [] });
    made.timer.advance(BATCH_PAUSE_MS);
    expect(made.takes().at(-1)).toEqual({ kind: "take", max: 7 });
  });

  sharedTest("requests those of other senders first afterwards", () => {
    const made = world(2 * LONG_MS - 50);
    made.batch([0n]);
    made.timer.advance(BATCH_PAUSE_MS);
    expect(made.takes().slice(1)).toEqual([asked(4)]);
    const [hash] = made.batch([1n]);
    expect(made.settled().at(-1)).toMatchObject({ included: [hash], requeued: [] });
  });

  sharedTest("executes no more of them in a block after half of its time", () => {
    const made = world(BLOCK_TIME_MS / 2);
    made.batch([0n]);
    made.timer.advance(BATCH_PAUSE_MS);
    expect(made.takes().at(-1)).toMatchObject({ precedence: { holdsBackLarge: true } });
    made.batch([]);
    expect(made.takes()).toHaveLength(2);
    made.timer.advance(2 * BLOCK_TIME_MS);
    expect(made.sealed()).not.toHaveLength(0);
    made.batch([]);
    made.timer.advance(SLEEP_MS);
    expect(made.takes().at(-1)).toMatchObject({ precedence: { holdsBackLarge: false } });
  });

  sharedTest("executes nothing of a batch requested before they were known", () => {
    const made = world(LONG_MS + 1);
    // A full batch: the next one is requested while it is executed.
    made.batch([0n, 1n, 2n, 3n, 4n, 5n, 6n]);
    const early = made.batch([1n, 2n]);
    expect(made.settled().at(-1)).toMatchObject({ included: [], requeued: early });
  });
});

import { describe, expect, test } from "bun:test";
import { MAX_LAG_BLOCKS, SyncState } from "#app/node/sync/sync-state.ts";
import type { SourceName } from "#app/node/setup/follow.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { progressAt, refusalOf } from "#test/helpers/sync-messages.ts";

const GRACE_MS = 60_000;

function world(stopAt: number | null = null, sourceName: SourceName = "the gateway") {
  const timer = new FakeTimer();
  const nowMs = () => timer.nowMs();
  return { timer, standing: new SyncState({ stopAt, sourceName, graceMs: GRACE_MS, nowMs }) };
}

describe("sync state", () => {
  test.each([
    [undefined, { number: 0, hash: 0n }],
    [4, { number: 4, hash: 0x1004n }],
  ])("with newest block %p is syncing while its source has reported no block", (own, shown) => {
    const { standing, timer } = world();
    standing.progress(progressAt(own, undefined));
    timer.advance(10 * GRACE_MS);
    expect(standing.status()).toMatchObject({ currentBlock: shown, highestBlock: shown });
  });

  test("is not syncing at its last block although its source has reported no block", () => {
    const { standing } = world(4);
    standing.progress(progressAt(4, undefined));
    expect(standing.status()).toBe(false);
  });

  test("is not in sync before the source reports a block", () => {
    const { standing } = world();
    standing.progress(progressAt(4, undefined));
    expect(standing.following()).toEqual({
      highestBlock: undefined,
      isInSync: false,
      reason: "no gateway has reported a block yet",
      sourceAgeSeconds: 0,
    });
  });

  test("reports its distance from the source", () => {
    const { standing } = world();
    standing.progress({ ...progressAt(4, 6), starting: { number: 2, hash: 0x1002n } });
    expect(standing.status()).toEqual({
      startingBlock: { number: 2, hash: 0x1002n },
      currentBlock: { number: 4, hash: 0x1004n },
      highestBlock: { number: 6, hash: 0x1006n },
    });
    expect(standing.following()).toMatchObject({ highestBlock: 6, isInSync: false });
    expect(standing.following().reason).toBeUndefined();
  });

  test("without a block reports block 0", () => {
    const { standing } = world();
    standing.progress(progressAt(undefined, 0));
    const none = { number: 0, hash: 0n };
    expect(standing.status()).toMatchObject({ startingBlock: none, currentBlock: none });
  });

  test("stays in sync until it is far behind", () => {
    const { standing } = world();
    const inSync = (current: number, highest: number): boolean => {
      standing.progress(progressAt(current, highest));
      expect(standing.status() === false).toBe(standing.isCaughtUp);
      return standing.following().isInSync;
    };
    expect([
      inSync(5, 6),
      inSync(6, 6),
      inSync(6, 6 + MAX_LAG_BLOCKS),
      inSync(6, 7 + MAX_LAG_BLOCKS),
      inSync(7, 7 + MAX_LAG_BLOCKS),
      inSync(7 + MAX_LAG_BLOCKS, 7 + MAX_LAG_BLOCKS),
      inSync(9, 5),
    ]).toEqual([false, true, true, false, false, true, true]);
  });

  test("names a refused block and the reason, until it is imported", () => {
    const { standing } = world();
    standing.progress(progressAt(4, 4));
    standing.refused(refusalOf(5));
    expect(standing.following().reason).toBe(
      "block 5 is refused (state_root): expected 0x1, got 0x2",
    );
    standing.refused(refusalOf(null));
    expect(standing.following().reason).toContain("the gateway is refused");
    standing.refused(null);
    expect(standing.following().reason).toBeUndefined();
  });

  test("reports the age of the source's data, and stays ready during the grace period", () => {
    const { standing, timer } = world();
    standing.progress(progressAt(4, 4));
    timer.advance(GRACE_MS);
    expect(standing.following()).toMatchObject({ sourceAgeSeconds: 60, reason: undefined });
    timer.advance(1_000);
    expect(standing.following()).toMatchObject({
      sourceAgeSeconds: 61,
      reason: "no gateway has reported its newest block for 61 s",
    });
    standing.sourceHead(4);
    expect(standing.following()).toMatchObject({ sourceAgeSeconds: 0, reason: undefined });
  });

  test("ignores an empty source once it has blocks", () => {
    const { standing, timer } = world();
    timer.advance(5_000);
    standing.sourceHead(null);
    expect(standing.following().sourceAgeSeconds).toBe(0);
    standing.progress(progressAt(4, 4));
    timer.advance(5_000);
    standing.sourceHead(null);
    expect(standing.following().sourceAgeSeconds).toBe(5);
  });

  test("is not ready after the grace period if the next block does not arrive, however often the source announces it", () => {
    const { standing, timer } = world();
    standing.progress(progressAt(4, 4));
    timer.advance(10 * GRACE_MS);
    standing.sourceHead(5);
    standing.progress(progressAt(4, 5));
    timer.advance(GRACE_MS);
    standing.sourceHead(6);
    standing.progress(progressAt(4, 6));
    expect(standing.following().reason).toBeUndefined();
    timer.advance(1_000);
    expect(standing.following().reason).toBe(
      "block 5 has not arrived for 61 s, the gateway has blocks up to 6",
    );
    standing.progress(progressAt(5, 6));
    expect(standing.following().reason).toBeUndefined();
  });

  test("names the store if it follows one", () => {
    const { standing, timer } = world(null, "the store");
    expect(standing.following().reason).toBe("the store has not reported a block yet");
    standing.refused(refusalOf(null));
    expect(standing.following().reason).toContain("the store is refused");
    standing.refused(null);
    timer.advance(GRACE_MS + 1_000);
    expect(standing.following().reason).toBe(
      "the store has not reported its newest block for 61 s",
    );
  });

  test("is in sync at its last block, however silent or far ahead the source is", () => {
    const { standing, timer } = world(4);
    standing.progress(progressAt(3, 100));
    expect(standing.isCaughtUp).toBe(false);
    standing.progress(progressAt(4, 100));
    timer.advance(10 * GRACE_MS);
    expect(standing.following()).toEqual({ highestBlock: 100, isInSync: true, reason: undefined });
  });
});

import { describe, expect, test } from "bun:test";
import { MAX_LAG_BLOCKS, SyncState } from "#app/node/sync/sync-state.ts";
import type { SourceName } from "#app/node/setup/follow.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { progressAt, refusalOf } from "#test/helpers/sync-messages.ts";

const GRACE_MS = 60_000;

function world(stopAt: number | null = null, sourceName: SourceName = "the gateway") {
  const timer = new FakeTimer();
  const nowMs = () => timer.nowMs();
  return { timer, state: new SyncState({ stopAt, sourceName, graceMs: GRACE_MS, nowMs }) };
}

describe("sync state", () => {
  test.each([
    [undefined, { number: 0, hash: 0n }],
    [4, { number: 4, hash: 0x1004n }],
  ])("with newest block %p is syncing while its source has reported no block", (own, shown) => {
    const { state, timer } = world();
    state.progress(progressAt(own, undefined));
    timer.advance(10 * GRACE_MS);
    expect(state.status()).toMatchObject({ currentBlock: shown, highestBlock: shown });
  });

  test("is not syncing at its last block although its source has reported no block", () => {
    const { state } = world(4);
    state.progress(progressAt(4, undefined));
    expect(state.status()).toBe(false);
  });

  test("is not in sync before the source reports a block", () => {
    const { state } = world();
    state.progress(progressAt(4, undefined));
    expect(state.following()).toEqual({
      highestBlock: undefined,
      isInSync: false,
      reason: "no gateway has reported a block yet",
      sourceAgeSeconds: 0,
    });
  });

  test("reports its distance from the source", () => {
    const { state } = world();
    state.progress({ ...progressAt(4, 6), starting: { number: 2, hash: 0x1002n } });
    expect(state.status()).toEqual({
      startingBlock: { number: 2, hash: 0x1002n },
      currentBlock: { number: 4, hash: 0x1004n },
      highestBlock: { number: 6, hash: 0x1006n },
    });
    expect(state.following()).toMatchObject({ highestBlock: 6, isInSync: false });
    expect(state.following().reason).toBeUndefined();
  });

  test("without a block reports block 0", () => {
    const { state } = world();
    state.progress(progressAt(undefined, 0));
    const none = { number: 0, hash: 0n };
    expect(state.status()).toMatchObject({ startingBlock: none, currentBlock: none });
  });

  test("stays in sync until it is far behind", () => {
    const { state } = world();
    const inSync = (current: number, highest: number): boolean => {
      state.progress(progressAt(current, highest));
      expect(state.status() === false).toBe(state.isCaughtUp);
      return state.following().isInSync;
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
    const { state } = world();
    state.progress(progressAt(4, 4));
    state.refused(refusalOf(5));
    expect(state.following().reason).toBe("block 5 is refused (state_root): expected 0x1, got 0x2");
    state.refused(refusalOf(null));
    expect(state.following().reason).toContain("the gateway is refused");
    state.refused(null);
    expect(state.following().reason).toBeUndefined();
  });

  test("reports the age of the source's data, and stays ready during the grace period", () => {
    const { state, timer } = world();
    state.progress(progressAt(4, 4));
    timer.advance(GRACE_MS);
    expect(state.following()).toMatchObject({ sourceAgeSeconds: 60, reason: undefined });
    timer.advance(1_000);
    expect(state.following()).toMatchObject({
      sourceAgeSeconds: 61,
      reason: "no gateway has reported its newest block for 61 s",
    });
    state.sourceHead(4);
    expect(state.following()).toMatchObject({ sourceAgeSeconds: 0, reason: undefined });
  });

  test("ignores an empty source once it has blocks", () => {
    const { state, timer } = world();
    timer.advance(5_000);
    state.sourceHead(null);
    expect(state.following().sourceAgeSeconds).toBe(0);
    state.progress(progressAt(4, 4));
    timer.advance(5_000);
    state.sourceHead(null);
    expect(state.following().sourceAgeSeconds).toBe(5);
  });

  test("is not ready after the grace period if the next block does not arrive, however often the source announces it", () => {
    const { state, timer } = world();
    state.progress(progressAt(4, 4));
    timer.advance(10 * GRACE_MS);
    state.sourceHead(5);
    state.progress(progressAt(4, 5));
    timer.advance(GRACE_MS);
    state.sourceHead(6);
    state.progress(progressAt(4, 6));
    expect(state.following().reason).toBeUndefined();
    timer.advance(1_000);
    expect(state.following().reason).toBe(
      "block 5 has not arrived for 61 s, the gateway has blocks up to 6",
    );
    state.progress(progressAt(5, 6));
    expect(state.following().reason).toBeUndefined();
  });

  test("names the store if it follows one", () => {
    const { state, timer } = world(null, "the store");
    expect(state.following().reason).toBe("the store has not reported a block yet");
    state.refused(refusalOf(null));
    expect(state.following().reason).toContain("the store is refused");
    state.refused(null);
    timer.advance(GRACE_MS + 1_000);
    expect(state.following().reason).toBe("the store has not reported its newest block for 61 s");
  });

  test("is in sync at its last block, however silent or far ahead the source is", () => {
    const { state, timer } = world(4);
    state.progress(progressAt(3, 100));
    expect(state.isCaughtUp).toBe(false);
    state.progress(progressAt(4, 100));
    timer.advance(10 * GRACE_MS);
    expect(state.following()).toEqual({ highestBlock: 100, isInSync: true, reason: undefined });
  });
});

import { describe, expect, test } from "bun:test";
import {
  CANDIDATE_MS,
  CandidateBook,
  INTEREST_MS,
  MAX_CANDIDATE_BYTES,
} from "#api/gateway/feeder/candidates.ts";
import { stateDiffsFrom } from "#api/gateway/feeder/works/pre-confirmed.ts";
import { LiveFeed } from "#api/rpc/index.ts";
import { mergeStateDiffs, type PendingBlock, PendingOverlay } from "#engine/state/index.ts";
import { EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import { fakeDiff } from "#test/helpers/fake-chain.ts";
import {
  candidateOf,
  delta,
  nonces,
  preConfirmedWorld as world,
} from "#test/helpers/pre-confirmed-world.ts";
import { SAMPLE_CHAIN, sampleContext } from "#test/helpers/sample-chain.ts";

describe("candidates", () => {
  test("follow the executed transactions, with null receipts and diffs", async () => {
    const { poll, apply, hand } = world();
    apply(delta(2, 0, [1n]));
    await poll("blockNumber=latest");
    hand([2n, 3n]);
    const { json, hashes } = await poll("blockNumber=latest");
    expect(hashes).toEqual([1n, 2n, 3n]);
    expect(json).toMatchObject({
      transaction_receipts: [{ transaction_hash: "0x1" }, null, null],
      transaction_state_diffs: [{}, null, null],
    });
    apply(delta(2, 1, [2n]));
    expect((await poll("blockNumber=latest")).hashes).toEqual([1n, 2n, 3n]);
  });

  test("are omitted from sealed blocks and from responses to polls for changes", async () => {
    const { poll, apply, hand } = world();
    apply(delta(2, 0, [1n], { sealed: true }));
    apply(delta(3, 0, [2n]));
    await poll("blockNumber=latest");
    hand([9n]);
    expect((await poll("blockNumber=2")).hashes).toEqual([1n]);
    expect((await poll("blockNumber=3")).hashes).toEqual([2n, 9n]);
    expect((await poll("blockNumber=3&blockIdentifier=")).hashes).toEqual([2n]);
  });

  test("are omitted once rejected or reverted with their block", async () => {
    const { poll, apply, hand, feed } = world();
    apply(delta(2, 0, [1n]));
    await poll("blockNumber=latest");
    hand([2n, 3n]);
    feed.rejected(2n, "no");
    expect((await poll("blockNumber=latest")).hashes).toEqual([1n, 3n]);
    feed.reverted(undefined);
    expect((await poll("blockNumber=latest")).hashes).toEqual([1n]);
  });
});

describe("CandidateBook", () => {
  const book = () => {
    const feed = new LiveFeed();
    const interests: boolean[] = [];
    feed.onInterest((wants) => interests.push(wants));
    let nowMs = 0;
    const candidates = new CandidateBook(feed, () => nowMs);
    return {
      feed,
      interests,
      waiting: () => candidates.waiting(() => false).map(({ hash }) => hash),
      pass: (ms: number) => (nowMs += ms),
    };
  };

  test("subscribes on the first poll and unsubscribes after a time without polls", () => {
    const { feed, interests, waiting, pass } = book();
    feed.candidates([candidateOf(1n)]);
    expect(waiting()).toEqual([]);
    expect(interests).toEqual([true]);
    feed.candidates([candidateOf(2n)]);
    pass(INTEREST_MS);
    expect(waiting()).toEqual([2n]);
    pass(INTEREST_MS + 1);
    feed.candidates([candidateOf(3n)]);
    expect(interests).toEqual([true, false]);
    expect(waiting()).toEqual([]);
    expect(interests).toEqual([true, false, true]);
  });

  test("forgets stale candidates, and the oldest above the count limit", () => {
    const { feed, waiting, pass } = book();
    waiting();
    feed.candidates([candidateOf(1n)]);
    for (let i = 0; i <= CANDIDATE_MS / INTEREST_MS; i++) {
      pass(INTEREST_MS);
      waiting();
    }
    expect(waiting()).toEqual([]);
    feed.candidates(Array.from({ length: 1_200 }, (_, i) => candidateOf(BigInt(i))));
    expect(waiting()).toHaveLength(1_000);
    expect(waiting()[0]).toBe(200n);
  });

  test("evicts the oldest candidates above the byte limit", () => {
    const { feed, waiting } = book();
    waiting();
    const long = new Uint8Array(MAX_CANDIDATE_BYTES / 4);
    const hashes = [1n, 2n, 3n, 4n, 5n, 6n];
    for (const hash of hashes) feed.candidates([{ ...candidateOf(hash), bytes: long }]);
    expect(waiting()).toEqual([3n, 4n, 5n, 6n]);
    // Repeated and rejected candidates do not count.
    for (const hash of [5n, 6n]) feed.candidates([{ ...candidateOf(hash), bytes: long }]);
    feed.rejected(3n, "no");
    feed.candidates([{ ...candidateOf(7n), bytes: long }]);
    expect(waiting()).toEqual([4n, 5n, 6n, 7n]);
    feed.reverted(undefined);
    for (const hash of hashes) feed.candidates([{ ...candidateOf(hash), bytes: long }]);
    expect(waiting()).toEqual([3n, 4n, 5n, 6n]);
  });
});

describe("state diffs of transactions", () => {
  test("add up to the state diff of the block, for any known count", () => {
    const overlay = new PendingOverlay(SAMPLE_CHAIN);
    overlay.apply(delta(2, 0, [], { diff: nonces(100n) }));
    overlay.apply(delta(2, 1, [1n, 2n]));
    overlay.apply(delta(2, 2, []));
    overlay.apply(delta(2, 3, [3n]));
    overlay.apply(
      delta(2, 4, [], { diff: fakeDiff({ nonces: new Map([[0xd0n, 7n]]) }), sealed: true }),
    );
    const view = overlay.newest() as PendingBlock;
    const all = stateDiffsFrom(view, 0);
    expect(all).toHaveLength(3);
    expect(all[0]).toEqual(EMPTY_STATE_DIFF);
    expect(mergeStateDiffs(all)).toEqual(mergeStateDiffs([view.stateDiff]));
    for (const known of [1, 2]) {
      const merged = mergeStateDiffs([...all.slice(0, known), ...stateDiffsFrom(view, known)]);
      expect(merged).toEqual(mergeStateDiffs([view.stateDiff]));
    }
    expect(stateDiffsFrom(view, 3)).toEqual([]);
  });

  test("are attributed to the last transaction when the block has no per-part changes", () => {
    const block = sampleContext().pending() as PendingBlock;
    expect(block.changes).toBeUndefined();
    expect(stateDiffsFrom(block, 0)).toEqual([block.stateDiff]);
  });
});

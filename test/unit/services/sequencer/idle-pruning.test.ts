import { expect, test } from "bun:test";
import { IdlePruning } from "#services/sequencer/index.ts";
import { IDLE_MS, PORTION_PAUSE_MS } from "#services/sequencer/idle-pruning.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { fakeDiff } from "#test/helpers/fake-chain.ts";
import { StateHistory } from "#test/helpers/state-history.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { countTrieNodes } from "#test/helpers/trie-nodes.ts";

/** Pruning with this many portions left. */
function world(portions: number) {
  const timer = new FakeTimer();
  const failures: unknown[] = [];
  const left = { portions, pruned: 0 };
  const pruning = new IdlePruning({
    prune() {
      left.pruned++;
      if (left.portions < 0) throw new RangeError("the disk failed");
      return --left.portions > 0;
    },
    timer,
    onFailure: (error) => failures.push(error),
  });
  return { timer, failures, left, pruning };
}

test("prunes an idle chain in portions", async () => {
  using folder = temporaryFolder();
  using history = await StateHistory.open(folder.file("chain.db"));
  for (let block = 0; block < 20; block++) {
    const slots = Array.from({ length: 500 }, (_, i) => [BigInt(i), BigInt(block + 1)] as const);
    history.commit(fakeDiff({ storageDiffs: new Map([[7n, new Map(slots)]]) }));
  }
  await history.reopen({ keepProofs: 1, pruneHistory: 16 });
  const count = (table: string): bigint | undefined =>
    history.handle.connection.query<{ n: bigint }, []>(`select count(*) as n from ${table}`).get()
      ?.n;
  const timer = new FakeTimer();
  const pruning = new IdlePruning({
    prune: () => history.writer.pruneMore(),
    timer,
    onFailure: (error) => expect(error).toBeUndefined(),
  });
  pruning.touch();
  const nodes: number[] = [];
  for (let i = 0; i < 1000 && timer.alarms > 0; i++) {
    timer.advance(IDLE_MS);
    nodes.push(countTrieNodes(history.handle.connection));
  }
  expect(nodes.length).toBeGreaterThan(1);
  expect(count("trie_removed")).toBe(0n);
  expect(count("contract_storage")).toBe(16n * 500n);
  expect(history.reader.oldestTrieBlock()).toBe(19);
  expect(timer.alarms).toBe(0);
});

test("is postponed by blocks, and starts again afterwards", () => {
  const { timer, left, pruning } = world(3);
  for (let i = 0; i < 5; i++) {
    pruning.touch();
    timer.advance(IDLE_MS - 1);
  }
  expect(left.pruned).toBe(0);
  timer.advance(1);
  expect(left.pruned).toBe(1);
  pruning.touch();
  timer.advance(PORTION_PAUSE_MS);
  expect(left.pruned).toBe(1);
  timer.advance(IDLE_MS + 10 * PORTION_PAUSE_MS);
  expect([left.pruned, timer.alarms]).toEqual([3, 0]);
});

test("ends after a failure, which is reported once, and after a stop", () => {
  const failing = world(-1);
  failing.pruning.touch();
  failing.timer.advance(10 * IDLE_MS);
  failing.pruning.touch();
  failing.timer.advance(10 * IDLE_MS);
  expect([failing.failures.length, failing.left.pruned]).toEqual([1, 1]);
  const stopped = world(5);
  stopped.pruning.touch();
  stopped.pruning.stop();
  stopped.pruning.touch();
  stopped.timer.advance(10 * IDLE_MS);
  expect([stopped.left.pruned, stopped.timer.alarms]).toEqual([0, 0]);
});

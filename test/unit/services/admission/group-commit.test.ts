import { expect, test } from "bun:test";
import type { ClassContents } from "#protocol/chain/index.ts";
import { type AddedEntry, GroupCommit } from "#services/admission/group-commit.ts";
import { mempoolEntry } from "#test/helpers/mempool-entry.ts";

/** A disk whose flushes end when they are told to. */
function setUp({ closesAgain = false } = {}) {
  const clock = { nowMs: 0 };
  const written: { readonly added: bigint[]; readonly dropped: readonly bigint[] }[] = [];
  const entries: AddedEntry[] = [];
  const answered: number[][] = [];
  const failures: unknown[] = [];
  const flushes: PromiseWithResolvers<void>[] = [];
  const commit = new GroupCommit<bigint>({
    write(added, dropped) {
      written.push({ added: added.map(({ hash }) => hash), dropped });
      entries.push(...added);
    },
    sync() {
      const flush = Promise.withResolvers<void>();
      flushes.push(flush);
      return flush.promise;
    },
    onDurable(outcomes) {
      answered.push(outcomes.map(({ id }) => id));
      if (closesAgain) commit.closeIfDue(true);
    },
    onFailure: (error) => failures.push(error),
    nowMs: () => clock.nowMs,
  });
  const add = (id: number, dropped: readonly bigint[] = [], declared?: ClassContents): void => {
    const outcome = { kind: "accepted", transactionHash: BigInt(id) } as const;
    commit.add({ id, outcome, entry: mempoolEntry({ hash: BigInt(id) }), declared, dropped });
  };
  const flushed = async (): Promise<void> => {
    flushes.shift()?.resolve();
    await Bun.sleep(0);
  };
  return { clock, commit, written, entries, answered, failures, flushes, add, flushed };
}

test("nothing is answered or handed on before it is on the disk", async () => {
  const { commit, written, answered, add, flushed } = setUp();
  add(1, [9n]);
  expect(commit.isDurable(1n)).toBe(false);
  commit.closeIfDue(true);
  expect(written).toEqual([{ added: [1n], dropped: [9n] }]);
  await Bun.sleep(0);
  expect(answered).toEqual([]);
  expect(commit.isDurable(1n)).toBe(false);
  await flushed();
  expect(answered).toEqual([[1]]);
  expect(commit.isDurable(1n)).toBe(true);
});

test("a declaration is written with its class, and nothing else with any", () => {
  const { commit, entries, add } = setUp();
  const declared = { contractClass: Uint8Array.of(7), casmJson: "{}" };
  add(1);
  add(2, [], declared);
  commit.closeIfDue(true);
  expect(entries).toStrictEqual([
    mempoolEntry({ hash: 1n }),
    { ...mempoolEntry({ hash: 2n }), declared },
  ]);
});

test("what comes during a flush makes one group, written after it", async () => {
  const { commit, written, answered, add, flushed } = setUp();
  add(1);
  commit.closeIfDue(true);
  add(2);
  commit.closeIfDue(true);
  add(3);
  commit.closeIfDue(true);
  expect(written.length).toBe(1);
  await flushed();
  expect(commit.isDurable(2n)).toBe(false);
  commit.closeIfDue(true);
  expect(written[1]).toEqual({ added: [2n, 3n], dropped: [] });
  await flushed();
  expect(answered).toEqual([[1], [2, 3]]);
});

test("whoever is told of a group can close the next one", async () => {
  const { commit, written, answered, add, flushed } = setUp({ closesAgain: true });
  add(1);
  commit.closeIfDue(true);
  add(2);
  commit.closeIfDue(true);
  await flushed();
  expect(written.length).toBe(2);
  await flushed();
  expect(answered).toEqual([[1], [2]]);
});

test("while more transactions wait, a group lasts as long as the last flush took, up to 50 ms", async () => {
  const { clock, commit, written, add, flushed } = setUp();
  for (const [flushMs, groupMs] of [
    [0, 1],
    [20, 20],
    [1000, 50],
  ] as const) {
    add(1);
    commit.closeIfDue(true);
    clock.nowMs += flushMs;
    await flushed();
    add(2);
    const count = written.length;
    clock.nowMs += groupMs - 0.5;
    commit.closeIfDue(false);
    expect(written.length).toBe(count);
    clock.nowMs += 0.5;
    commit.closeIfDue(false);
    expect(written.length).toBe(count + 1);
    await flushed();
  }
});

test("a group is closed at once when nothing more waits", () => {
  const { commit, written, add } = setUp();
  add(1);
  commit.closeIfDue(true);
  expect(written.length).toBe(1);
});

test.each([false, true])("a flush makes everything durable (%p)", async (closesAgain) => {
  const { commit, answered, add, flushed } = setUp({ closesAgain });
  add(1);
  commit.closeIfDue(true);
  add(2);
  let done = false;
  const flush = commit.flush().then(() => (done = true));
  await flushed();
  expect(done).toBe(false);
  await flushed();
  await flush;
  expect(answered).toEqual([[1], [2]]);
});

test("a disk that fails is reported once; nothing is answered or written after it", async () => {
  const { commit, written, answered, failures, flushes, add } = setUp();
  add(1);
  commit.closeIfDue(true);
  add(2);
  flushes.shift()?.reject(new RangeError("the disk is full"));
  await Bun.sleep(0);
  commit.closeIfDue(true);
  await commit.flush();
  expect(failures).toHaveLength(1);
  expect([written.length, answered.length]).toEqual([1, 0]);
  expect(commit.isDurable(1n)).toBe(false);
});

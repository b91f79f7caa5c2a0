import { describe, expect, test } from "bun:test";
import type { ClassContents } from "#protocol/chain/index.ts";
import { type AddedEntry, GroupCommit } from "#services/admission/group-commit.ts";
import { mempoolEntry } from "#test/helpers/mempool-entry.ts";

/** Disk whose flushes end when the test says so. */
function setUp({ closesAgain = false, executesBeforeSync = false } = {}) {
  const clock = { nowMs: 0 };
  const ahead = { goes: executesBeforeSync, woken: 0 };
  const written: { readonly added: bigint[]; readonly dropped: readonly bigint[] }[] = [];
  const entries: AddedEntry[] = [];
  const answered: number[][] = [];
  const failures: unknown[] = [];
  const flushes: PromiseWithResolvers<void>[] = [];
  const failing: { write?: Error } = {};
  const commit = new GroupCommit<bigint>({
    write(added, dropped) {
      if (failing.write !== undefined) throw failing.write;
      written.push({ added: added.map(({ hash }) => hash), dropped });
      entries.push(...added);
    },
    sync() {
      const flush = Promise.withResolvers<void>();
      flushes.push(flush);
      return flush.promise;
    },
    executesBeforeSync: () => ahead.goes,
    onAhead: () => ahead.woken++,
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
  return {
    clock,
    ahead,
    failing,
    commit,
    written,
    entries,
    answered,
    failures,
    flushes,
    add,
    flushed,
  };
}

test("transactions are answered and forwarded only once they are on disk", async () => {
  const { ahead, commit, written, answered, add, flushed } = setUp();
  add(1, [9n]);
  const progress = () => [commit.isDurable(1n), commit.mayExecute(1n), commit.size];
  expect(progress()).toEqual([false, false, 1]);
  commit.closeIfDue(true);
  expect(written).toEqual([{ added: [1n], dropped: [9n] }]);
  await Bun.sleep(0);
  expect(answered).toEqual([]);
  expect(progress()).toEqual([false, false, 1]);
  await flushed();
  expect(answered).toEqual([[1]]);
  expect(progress()).toEqual([true, true, 0]);
  expect(ahead.woken).toBe(0);
});

test("only declarations are written with a class", () => {
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

test("arrivals during a flush form one group, written after it", async () => {
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

test("an answer handler can close the next group", async () => {
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

test("while more transactions are queued, a group lasts as long as the last flush, up to 50 ms", async () => {
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

test("a group is closed immediately if no more transactions are queued", () => {
  const { commit, written, add } = setUp();
  add(1);
  commit.closeIfDue(true);
  expect(written.length).toBe(1);
});

test.each([false, true])(
  "a flush makes all transactions durable (closes again: %p)",
  async (closesAgain) => {
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
  },
);

test("a failed flush is reported once and stops all answers and writes", async () => {
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

test("a failed write is reported once and stops all flushes, answers and writes", async () => {
  const { commit, failing, written, answered, failures, flushes, add } = setUp();
  failing.write = new RangeError("the disk is full");
  add(1);
  commit.closeIfDue(true);
  commit.closeIfDue(true);
  await commit.flush();
  expect(failures).toEqual([failing.write]);
  expect([written.length, flushes.length, answered.length]).toEqual([0, 0, 0]);
});

describe("with execution before the flush", () => {
  test("transactions are forwarded once they are written and answered once they are durable", async () => {
    const { ahead, commit, answered, add, flushed } = setUp({ executesBeforeSync: true });
    add(1);
    const progress = () => [commit.isDurable(1n), commit.mayExecute(1n), commit.size, ahead.woken];
    expect(progress()).toEqual([false, false, 1, 0]);
    commit.closeIfDue(true);
    expect(progress()).toEqual([false, true, 0, 1]);
    expect(answered).toEqual([]);
    await flushed();
    expect(progress()).toEqual([true, true, 0, 1]);
    expect(answered).toEqual([[1]]);
  });

  test("arrivals during a flush are written during it and made durable by the next one", async () => {
    const { commit, written, answered, flushes, add, flushed } = setUp({
      executesBeforeSync: true,
    });
    add(1);
    commit.closeIfDue(true);
    for (const id of [2, 3]) {
      add(id);
      commit.closeIfDue(true);
    }
    expect(written.map(({ added }) => added)).toEqual([[1n], [2n], [3n]]);
    expect([commit.mayExecute(3n), flushes.length]).toEqual([true, 1]);
    await flushed();
    expect(answered).toEqual([[1]]);
    expect([commit.isDurable(2n), commit.isDurable(3n), flushes.length]).toEqual([false, false, 1]);
    await flushed();
    expect(answered).toEqual([[1], [2, 3]]);
    expect([commit.isDurable(3n), flushes.length]).toEqual([true, 0]);
  });

  test("a flush waits for writes during another flush", async () => {
    const { commit, answered, add, flushed } = setUp({ executesBeforeSync: true });
    add(1);
    commit.closeIfDue(true);
    add(2);
    commit.closeIfDue(true);
    add(3);
    const flush = commit.flush();
    await flushed();
    await flushed();
    await flushed();
    await flush;
    expect(answered.flat()).toEqual([1, 2, 3]);
  });

  test("a transaction re-added before its flush is written and flushed again", async () => {
    const { commit, answered, add, flushed } = setUp({ executesBeforeSync: true });
    add(1);
    commit.closeIfDue(true);
    add(1);
    expect(commit.mayExecute(1n)).toBe(false);
    await flushed();
    expect([commit.isDurable(1n), commit.mayExecute(1n)]).toEqual([false, false]);
    commit.closeIfDue(true);
    await flushed();
    expect([commit.isDurable(1n), answered.length]).toEqual([true, 2]);
  });

  test("non-durable transactions wait for the flush once there is a watcher", async () => {
    const { ahead, commit, add, flushed } = setUp({ executesBeforeSync: true });
    add(1);
    commit.closeIfDue(true);
    ahead.goes = false;
    expect([commit.mayExecute(1n), commit.size]).toEqual([false, 1]);
    await flushed();
    expect([commit.mayExecute(1n), commit.size]).toEqual([true, 0]);
  });
});

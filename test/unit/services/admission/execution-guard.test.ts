import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { InvariantError, NodeError, OriginError, StorageError } from "#base/errors/index.ts";
import { blameForCrash, ExecutionGuard } from "#services/admission/execution-guard.ts";
import { ExecutionJournal, readExecutionRecord, UNNAMED } from "#io/storage/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

/**
 * Runs `work` for transaction 7 under guard.
 * @returns the record on disk
 */
function recordAfter(work: () => void, attempt = 1) {
  using folder = temporaryFolder();
  const path = folder.file("execution.journal");
  const journal = new ExecutionJournal(path);
  const guard = new ExecutionGuard(journal);
  let thrown: unknown;
  try {
    guard.run(attempt, () => {
      guard.beforeTransaction(6n);
      guard.beforeTransaction(7n);
      work();
    });
  } catch (error) {
    thrown = error;
  }
  journal.close();
  return { thrown, record: readExecutionRecord(path) };
}

describe("a batch", () => {
  test("leaves no record if it succeeds", () => {
    expect(recordAfter(() => undefined)).toEqual({ thrown: undefined, record: undefined });
  });

  test("leaves no record if a value of the fork's origin is missing", () => {
    const lost = new OriginError("ORIGIN_UNAVAILABLE", "it does not respond", true);
    const { thrown, record } = recordAfter(() => {
      throw lost;
    });
    expect([thrown, record]).toEqual([lost, undefined]);
  });

  test.each([
    ["an invariant", new InvariantError("the machine is broken")],
    ["out of memory", new RangeError("Out of memory")],
    ["a trap of the kernel", new WebAssembly.RuntimeError("unreachable")],
  ])("leaves the transaction and the cause if it throws: %s", (_, error) => {
    const { thrown, record } = recordAfter(() => {
      throw error;
    });
    expect(thrown).toBe(error);
    expect(record).toMatchObject({ hash: 7n, attempt: 1 });
    expect(record?.cause).toContain(error.message);
  });

  test("leaves no record if the database fails", () => {
    const error = new StorageError("STORAGE_FAILED", "the disk is full");
    const { thrown, record } = recordAfter(() => {
      throw error;
    });
    expect([thrown, record]).toEqual([error, undefined]);
  });

  test("records its second attempt", () => {
    const { record } = recordAfter(() => {
      throw new RangeError("again");
    }, 2);
    expect(record).toMatchObject({ hash: 7n, attempt: 2 });
  });
});

describe("a block", () => {
  /** Record on disk while a block runs, and after its end or its `error`. */
  function recordOf(hashes: readonly bigint[], attempt: number, error?: Error, earlier = 0) {
    using folder = temporaryFolder();
    const path = folder.file("commit.journal");
    const journal = new ExecutionJournal(path);
    const last = { hash: UNNAMED, attempt: earlier, cause: null };
    const guard = new ExecutionGuard(journal, earlier === 0 ? undefined : last);
    let record: ReturnType<typeof readExecutionRecord>;
    const work = () =>
      guard.runBlock(attempt, hashes, () => {
        record = readExecutionRecord(path);
        if (error !== undefined) throw error;
      });
    if (error === undefined) work();
    else expect(work).toThrow(error);
    const after = readExecutionRecord(path);
    journal.close();
    return { record, after };
  }

  test("of one transaction is recorded with its hash", () => {
    const { record, after } = recordOf([7n], 2);
    expect(record).toEqual({ hash: 7n, attempt: 2, cause: null });
    expect(after).toBeUndefined();
  });

  test.each([[[]], [[7n, 8n]]])("of %p is recorded without a hash", (hashes) => {
    const { record, after } = recordOf(hashes, 1);
    expect(record).toEqual({ hash: UNNAMED, attempt: 1, cause: null });
    expect(after).toBeUndefined();
  });

  test("counts the consecutive crashes before it", () => {
    expect(recordOf([7n, 8n], 1, undefined, 3).record?.attempt).toBe(4);
    expect(recordOf([7n], 1, undefined, 3).record?.attempt).toBe(1);
    expect(recordOf([7n, 8n], 1, undefined, 300).record?.attempt).toBe(255);
  });

  test("records the cause of its failure", () => {
    const { after } = recordOf([7n, 8n], 1, new InvariantError("no root"));
    expect(after).toMatchObject({ hash: UNNAMED, attempt: 1 });
    expect(after?.cause).toContain("no root");
  });

  test("resets the crash count if it succeeds", () => {
    using folder = temporaryFolder();
    const path = folder.file("commit.journal");
    const journal = new ExecutionJournal(path);
    const guard = new ExecutionGuard(journal, { hash: UNNAMED, attempt: 4, cause: null });
    const attempts = [1, 2].map(() =>
      guard.runBlock(1, [], () => readExecutionRecord(path)?.attempt),
    );
    journal.close();
    expect(attempts).toEqual([5, 1]);
  });
});

describe("a thread that exits by itself", () => {
  /** Thread that journals an execution and exits silently. */
  const dying = (path: string) => `
    import { ExecutionJournal } from "${import.meta.dir}/../../../../src/io/storage/index.ts";
    new ExecutionJournal(${JSON.stringify(path)}).begin(9n, 1);
    process.exit(3);
  `;

  test("is blamed on the transaction in execution", async () => {
    using folder = temporaryFolder();
    const path = folder.file("execution.journal");
    const file = folder.file("dying.ts");
    await Bun.write(file, dying(path));
    const worker = new Worker(file);
    await new Promise((resolve) => worker.addEventListener("close", resolve));
    expect(readExecutionRecord(path)).toEqual({ hash: 9n, attempt: 1, cause: null });
    blameForCrash(path, new NodeError("NODE_WORKER_FAILED", "the executor thread ended"));
    expect(readExecutionRecord(path)).toEqual({
      hash: 9n,
      attempt: 1,
      cause: "the executor thread ended",
    });
  });

  test("leaves no file open, however often it happens", () => {
    using folder = temporaryFolder();
    const path = folder.file("execution.journal");
    const openFiles = () => readdirSync("/dev/fd").length;
    const before = openFiles();
    for (let i = 0; i < 20; i++) blameForCrash(path, new NodeError("NODE_WORKER_FAILED", ""));
    expect(openFiles()).toBeLessThan(before + 20);
  });

  test("causes no error if the journal cannot be written", () => {
    using folder = temporaryFolder();
    blameForCrash(
      `${folder.file("nowhere")}/execution.journal`,
      new NodeError("NODE_WORKER_FAILED", ""),
    );
  });
});

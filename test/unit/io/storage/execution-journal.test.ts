import { describe, expect, test } from "bun:test";
import { statSync, writeFileSync } from "node:fs";
import { ExecutionJournal, readExecutionRecord } from "#io/storage/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const ROOT = `${import.meta.dir}/../../..`;
const HASH = 2n ** 251n + 17n;

describe("what is being executed", () => {
  test("is on disk from its beginning to its end", () => {
    using folder = temporaryFolder();
    const path = folder.file("execution.journal");
    expect(readExecutionRecord(path)).toBeUndefined();
    const journal = new ExecutionJournal(path);
    journal.begin(HASH, 1);
    expect(readExecutionRecord(path)).toEqual({ hash: HASH, attempt: 1, cause: null });
    journal.begin(3n, 2);
    expect(readExecutionRecord(path)).toEqual({ hash: 3n, attempt: 2, cause: null });
    journal.end();
    expect(readExecutionRecord(path)).toBeUndefined();
    journal.close();
  });

  test("is there after the process was killed", async () => {
    using folder = temporaryFolder();
    const path = folder.file("execution.journal");
    const dying = `
      import { ExecutionJournal } from "#io/storage/index.ts";
      const journal = new ExecutionJournal(process.argv.at(-1));
      journal.begin(7n, 1);
      journal.end();
      journal.begin(${HASH}n, 2);
      process.kill(process.pid, 9);
    `;
    const child = Bun.spawn([process.execPath, "--eval", dying, "--", path], {
      cwd: ROOT,
      stderr: "inherit",
    });
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
    expect(readExecutionRecord(path)).toEqual({ hash: HASH, attempt: 2, cause: null });
  });

  test("carries the cause of a crash that was seen", () => {
    using folder = temporaryFolder();
    const path = folder.file("execution.journal");
    const executor = new ExecutionJournal(path);
    executor.begin(HASH, 1);
    const main = new ExecutionJournal(path);
    main.died("x".repeat(100));
    main.died("the second report does not count");
    expect(readExecutionRecord(path)).toEqual({ hash: HASH, attempt: 1, cause: "x".repeat(100) });
    executor.begin(5n, 1);
    main.died("short");
    expect(readExecutionRecord(path)?.cause).toBe("short");
    for (const journal of [executor, main]) journal.close();
  });

  test("is nothing when a crash comes while nothing is executed", () => {
    using folder = temporaryFolder();
    const path = folder.file("execution.journal");
    const journal = new ExecutionJournal(path);
    journal.died("a timer failed");
    journal.begin(HASH, 1);
    journal.end();
    journal.died("a timer failed");
    expect(readExecutionRecord(path)).toBeUndefined();
    journal.close();
  });

  test("is forgotten when it is settled, and the file does not grow", () => {
    using folder = temporaryFolder();
    const path = folder.file("execution.journal");
    const journal = new ExecutionJournal(path);
    for (let i = 0n; i < 100n; i++) {
      journal.begin(i, 1);
      journal.died("x".repeat(10_000));
      journal.clear();
    }
    journal.close();
    expect(readExecutionRecord(path)).toBeUndefined();
    expect(statSync(path).size).toBeLessThan(4_096);
  });

  test.each([[""], ["RUNNING"], ["\u0001"], ["\u0009".repeat(99)]])(
    "is nothing in a file with foreign or cut content %p",
    (content) => {
      using folder = temporaryFolder();
      const path = folder.file("execution.journal");
      writeFileSync(path, content);
      expect(readExecutionRecord(path)).toBeUndefined();
    },
  );

  test("needs a file that can be opened", () => {
    using folder = temporaryFolder();
    const path = `${folder.file("nowhere")}/execution.journal`;
    expect(() => new ExecutionJournal(path)).toThrow(
      expect.objectContaining({ code: "STORAGE_CANNOT_OPEN" }),
    );
  });
});

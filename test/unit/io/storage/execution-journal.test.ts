import { describe, expect, spyOn, test } from "bun:test";
import * as fs from "node:fs";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { bytesFromFelt } from "#base/primitives/index.ts";
import { bindExecutionJournal, ExecutionJournal, readExecutionRecord } from "#io/storage/index.ts";
import { storageErrorOf } from "#test/helpers/chain-folder.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const ROOT = `${import.meta.dir}/../../..`;
const HASH = 2n ** 251n + 17n;

describe("ExecutionJournal", () => {
  test("records an execution from begin() to end()", () => {
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

  test("keeps the record when the process is killed", async () => {
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

  test("records the first cause of a crash", () => {
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

  test("records no crash outside an execution", () => {
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

  test("clears settled records without growing the file", () => {
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

  test.each([
    ["", ""],
    ["cut", "\u0001"],
    ["idle", "\u0000".repeat(34)],
  ])("has no record in an empty file or an idle one of an older version (%s)", (_, content) => {
    using folder = temporaryFolder();
    const path = folder.file("execution.journal");
    writeFileSync(path, content);
    expect(readExecutionRecord(path)).toBeUndefined();
  });

  test("reads an older file and rewrites it in the current format", () => {
    using folder = temporaryFolder();
    const path = folder.file("execution.journal");
    const hash = bytesFromFelt(HASH);
    writeFileSync(path, Buffer.concat([Buffer.of(2, 3), hash, Buffer.from("out of memory")]));
    const record = { hash: HASH, attempt: 3, cause: "out of memory" };
    expect(readExecutionRecord(path)).toEqual(record);
    new ExecutionJournal(path).close();
    expect(readExecutionRecord(path)).toEqual(record);
    expect(readFileSync(path).toString("latin1", 0, 8)).toBe("appjrnl2");
  });

  const OLD_HASH = bytesFromFelt(HASH);
  test.each([
    ["a crash", Buffer.concat([Buffer.of(2, 3), OLD_HASH, Buffer.from("out of memory")])],
    ["an execution", Buffer.concat([Buffer.of(1, 2), OLD_HASH])],
    ["nothing", Buffer.alloc(34)],
    ["nothing, being cut", Buffer.of(1)],
  ])("survives a power loss while upgrading an older file that records %s", (_, old) => {
    using folder = temporaryFolder();
    const path = folder.file("execution.journal");
    writeFileSync(path, old);
    const record = readExecutionRecord(path);
    // The disk has what was synced; of a later write it may have the bytes but not the new
    // size.
    let durable = Buffer.from(old);
    using sync = spyOn(fs, "fsyncSync").mockImplementation(() => {
      durable = readFileSync(path);
    });
    using write = spyOn(fs, "writeSync");
    new ExecutionJournal(path).close();
    const order = [sync, write].map(({ mock }) => mock.invocationCallOrder);
    expect(order.map(({ length }) => length)).toEqual([1, 1]);
    expect(order).toEqual(order.toSorted(([a = 0], [b = 0]) => a - b));
    const half = Buffer.from(durable);
    readFileSync(path).copy(half);
    for (const left of [durable, half]) {
      writeFileSync(path, left);
      expect(readExecutionRecord(path)).toEqual(record);
    }
  });

  test("rejects a path that cannot be opened", () => {
    using folder = temporaryFolder();
    const path = `${folder.file("nowhere")}/execution.journal`;
    expect(() => new ExecutionJournal(path)).toThrow(
      expect.objectContaining({ code: "STORAGE_CANNOT_OPEN" }),
    );
  });
});

describe("an execution journal", () => {
  const read = (path: string): string => storageErrorOf(() => readExecutionRecord(path));
  const opened = (path: string): string => storageErrorOf(() => new ExecutionJournal(path));

  test("is rejected with any byte changed", () => {
    using folder = temporaryFolder();
    const path = folder.file("execution.journal");
    const journal = new ExecutionJournal(path);
    journal.bind(17n);
    journal.begin(HASH, 2);
    journal.died("out of memory");
    journal.close();
    const bytes = readFileSync(path);
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = at === 0 ? 1 : (changed[at] ?? 0) ^ 4;
      writeFileSync(path, changed);
      expect([at, read(path)]).toEqual([at, "STORAGE_DAMAGED"]);
    }
  });

  test("is rejected when it is truncated or holds something else", () => {
    using folder = temporaryFolder();
    const path = folder.file("execution.journal");
    const journal = new ExecutionJournal(path);
    journal.begin(HASH, 1);
    journal.close();
    const bytes = readFileSync(path);
    for (let length = 1; length < bytes.length; length++) {
      writeFileSync(path, bytes.subarray(0, length));
      expect([length, read(path)]).toEqual([length, "STORAGE_DAMAGED"]);
    }
    writeFileSync(path, "notes of somebody");
    expect([read(path), opened(path)]).toEqual(["STORAGE_DAMAGED", "STORAGE_DAMAGED"]);
    expect(() => readExecutionRecord(path)).toThrow(path);
  });

  test("stays bound to its first chain through all writes", () => {
    using folder = temporaryFolder();
    const path = folder.file("execution.journal");
    bindExecutionJournal(path, null);
    bindExecutionJournal(path, 17n);
    const journal = new ExecutionJournal(path);
    journal.begin(HASH, 1);
    journal.end();
    journal.close();
    bindExecutionJournal(path, 17n);
    const bind = (hash: bigint | null) => storageErrorOf(() => bindExecutionJournal(path, hash));
    expect([bind(18n), bind(null)]).toEqual(["STORAGE_OTHER_CHAIN", "STORAGE_OTHER_CHAIN"]);
    expect(() => bindExecutionJournal(path, 18n)).toThrow(path);
  });
});

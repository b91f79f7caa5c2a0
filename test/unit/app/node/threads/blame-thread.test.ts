import { expect, test } from "bun:test";
import { NodeError } from "#base/errors/index.ts";
import { ExecutionJournal, readExecutionRecord } from "#io/storage/index.ts";
import { blameThread } from "#app/node/threads/blame-thread.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const JOURNALS = ["executionJournal", "commitJournal", "validationJournal"] as const;

test.each([
  ["executor", "executionJournal"],
  ["committer", "commitJournal"],
  ["admission", "validationJournal"],
  ["query-0", undefined],
] as const)("the death of %s is noted in %s only", (thread, blamed) => {
  using folder = temporaryFolder();
  const files = nodeFiles(folder.path, null);
  for (const name of JOURNALS) {
    const journal = new ExecutionJournal(files[name]);
    journal.begin(5n, 1);
    journal.close();
  }
  blameThread(files, thread, new NodeError("NODE_WORKER_FAILED", "it died"));
  for (const name of JOURNALS) {
    const record = readExecutionRecord(files[name]);
    expect(record?.hash).toBe(5n);
    if (name === blamed) expect(record?.cause).toContain("it died");
    else expect(record?.cause).toBeNull();
  }
});

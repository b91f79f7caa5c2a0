import { expect, test } from "bun:test";
import { basename } from "node:path";
import { NodeError } from "#base/errors/index.ts";
import { ExecutionJournal, readExecutionRecord } from "#io/storage/index.ts";
import { blameThread } from "#app/node/threads/blame-thread.ts";
import { type NodeFiles, nodeFiles } from "#app/node/setup/node-files.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const journalsOf = (files: NodeFiles): readonly string[] => [
  files.executionJournal,
  files.commitJournal,
  files.validationJournal,
  ...files.validatorJournals,
];

test.each([
  ["executor", "execution.journal"],
  ["committer", "commit.journal"],
  ["admission", "validation.journal"],
  ["validator-0", "validation-0.journal"],
  ["validator-11", "validation-11.journal"],
  ["query-0", undefined],
] as const)("records the death of %s in %s only", (thread, blamed) => {
  using folder = temporaryFolder();
  const files = nodeFiles(folder.path, null);
  for (const path of journalsOf(files)) {
    const journal = new ExecutionJournal(path);
    journal.begin(5n, 1);
    journal.close();
  }
  blameThread(files, thread, new NodeError("NODE_WORKER_FAILED", "it died"));
  for (const path of journalsOf(files)) {
    const record = readExecutionRecord(path);
    expect(record?.hash).toBe(5n);
    if (basename(path) === blamed) expect(record?.cause).toContain("it died");
    else expect(record?.cause).toBeNull();
  }
});

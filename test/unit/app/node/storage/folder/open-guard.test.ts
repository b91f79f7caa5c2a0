import { expect, test } from "bun:test";
import { openGuard } from "#app/node/storage/folder/open-guard.ts";
import { readExecutionRecord, UNNAMED } from "#io/storage/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

test("counts deaths of the process during the same work", () => {
  using folder = temporaryFolder();
  const path = folder.file("execution.journal");
  for (const attempt of [1, 2, 3]) {
    const { guard, close } = openGuard(path, () => undefined);
    guard.beforeBlock([1n, 2n]);
    // The process dies here.
    close();
    expect(readExecutionRecord(path)).toMatchObject({ hash: UNNAMED, attempt });
  }
});

test("records the end of work", () => {
  using folder = temporaryFolder();
  const path = folder.file("execution.journal");
  const { guard, close } = openGuard(path, () => undefined);
  guard.runBlock(1, [1n, 2n], () => undefined);
  close();
  expect(readExecutionRecord(path)).toBeUndefined();
});

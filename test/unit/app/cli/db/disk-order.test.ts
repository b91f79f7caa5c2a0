import { expect, test } from "bun:test";
import { noteDiskSteps } from "#test/helpers/disk-steps.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { makeTrueChain } from "#test/helpers/true-chain.ts";
import { run } from "../run.ts";

/** Steps of `lockFolder`, before and after the ones under test. */
const isLock = (step: string): boolean => step.includes("lock.db");

test("a command flushes its files before it names them, and the names before it ends", async () => {
  using folder = temporaryFolder();
  const chain = folder.file("chain");
  await makeTrueChain(chain, { blocks: 2, transactions: 2 });
  const stepsOf = async (words: readonly string[]): Promise<readonly string[]> => {
    using noted = noteDiskSteps(folder.path);
    const { err } = await run(["db", ...words]);
    expect(err).toBe("");
    return noted.steps.filter((step) => !isLock(step));
  };
  const backup = folder.file("b");
  expect(await stepsOf(["backup", backup, "--base-path", chain])).toEqual([
    "mkdir b.tmp",
    "fsync b.tmp/chain.part",
    "fsync b.tmp/chain.part",
    "link b.tmp/chain.part b",
    "rm b.tmp/chain.part",
    "fsync .",
  ]);
  // A node refuses the folder while restore.tmp exists: it is created first and removed last.
  const restored = await stepsOf(["restore", backup, "--base-path", folder.file("r")]);
  expect(restored.filter((step) => step !== "mkdir r")).toEqual([
    "mkdir r/restore.tmp",
    "fsync r",
    "fsync r/restore.tmp/chain.db",
    "fsync r/restore.tmp",
    "rename r/restore.tmp/chain.db r/chain.db",
    "fsync r",
    "rm r/restore.tmp",
    "fsync r",
  ]);
  expect(await stepsOf(["compact", "--base-path", chain])).toEqual([
    "mkdir chain",
    "fsync chain/chain.db.compact",
    "fsync chain/chain.db.compact",
    "rename chain/chain.db.compact chain/chain.db",
    "fsync chain",
  ]);
});

import { expect, test } from "bun:test";
import { join } from "node:path";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { openExplorerStore } from "#io/storage/index.ts";
import { ExplorerIndexer, type IndexReport } from "#services/explorer-index/index.ts";
import { explorerBlock, invokeOf, transferEvent } from "#test/helpers/explorer-blocks.ts";
import { createFakeChain } from "#test/helpers/fake-chain.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { untilTrue } from "#test/helpers/until-true.ts";

/** Blocks whose index needs a megabyte or more. */
const CHAIN = Array.from({ length: 2_000 }, (_, number) => {
  const at = BigInt(number) << 200n;
  const transaction = invokeOf(at + 1n, at + 2n);
  return explorerBlock(number, [
    { transaction, events: [transferEvent(at + 2n, at + 1n, at + 3n, 1n)] },
  ]);
});

test("a full disk pauses the index, which continues once there is space", async () => {
  using temporary = temporaryFolder();
  const mount = (...words: string[]) => Bun.spawnSync(["mount", ...words]).exitCode === 0;
  // The user may lack the permission to mount.
  if (!mount("-t", "tmpfs", "-o", "size=500k", "none", temporary.path)) return;
  const path = join(temporary.path, "explorer.db");
  const reports: IndexReport[] = [];
  const indexer = new ExplorerIndexer({
    chain: createFakeChain(CHAIN),
    open: () => openExplorerStore(path, "SN_TEST"),
    remove: () => expect.unreachable(),
    isInPlace: () => true,
    report: (report) => void reports.push(report),
    timer: SYSTEM_TIMER,
  });
  const kinds = () => reports.map(({ kind }) => kind);
  try {
    indexer.grown(CHAIN.length - 1);
    expect(await untilTrue(() => kinds().includes("paused"))).toBe(true);
    expect(reports.find(({ kind }) => kind === "paused")).toMatchObject({
      reason: expect.stringContaining("full"),
    });
    mount("-o", "remount,size=64m", temporary.path);
    expect(await untilTrue(() => kinds().includes("continued"))).toBe(true);
    const isDone = () =>
      reports.some((report) => report.kind === "indexed" && report.to === CHAIN.length - 1);
    expect(await untilTrue(isDone)).toBe(true);
    expect(kinds().filter((kind) => kind === "paused")).toHaveLength(1);
  } finally {
    indexer.stop();
    Bun.spawnSync(["umount", temporary.path]);
  }
}, 60_000);

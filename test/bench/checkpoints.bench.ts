/**
 * Latency of commits on a growing chain while its log is checkpointed: between commits, as the node
 * does it, and within commits, as SQLite does; alone and in parallel with a reader with long
 * snapshots. Every commit is flushed to the disk: compare figures of one run only.
 *
 * Arguments: blocks per row (default 3000), transfers per block (default 20).
 */
import { statSync } from "node:fs";
import { EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import {
  type BlockCommit,
  createChainWriter,
  type DatabaseHandle,
  openDatabase,
} from "#io/storage/index.ts";
import { blockCommit } from "#test/helpers/blocks.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";
import { INVOKE_V3 } from "#test/helpers/sample-chain.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { scatter, TOKEN } from "./chain-blocks.ts";
import { quantile } from "./latency.ts";

const [blocks = 3000, transfers = 20] = process.argv.slice(2).map(Number);
/** Approximate number of trie rows that a transfer adds. */
const NODES = 18;
/** A reader keeps a snapshot for all but the last of this many blocks. */
const SNAPSHOT_BLOCKS = 20;

/** A block with rows at random places, as in real blocks; nothing is hashed. */
function made(number: number): BlockCommit {
  const ids = Array.from({ length: transfers }, (_, i) => number * transfers + i);
  const firstNode = number * transfers * NODES + 1;
  return blockCommit(number, {
    transactions: ids.map((id) => ({ hash: scatter(id), transaction: INVOKE_V3 })),
    receipts: ids.map((id) =>
      fakeReceipt({
        transactionHash: scatter(id),
        events: [{ fromAddress: TOKEN, keys: [1n, BigInt(id % 5000)], data: [2n] }],
      }),
    ),
    stateDiff: {
      ...EMPTY_STATE_DIFF,
      storageDiffs: new Map([[TOKEN, new Map(ids.map((id) => [scatter(id), BigInt(id)]))]]),
    },
    trie: {
      added: Array.from({ length: transfers * NODES }, (_, i) => ({
        id: firstNode + i,
        bytes: new Uint8Array(80).fill(i),
        hash: null,
      })),
      removed: [],
      roots: [],
      lastNodeId: firstNode + transfers * NODES - 1,
    },
  });
}

function readOn({ connection }: DatabaseHandle, step: number): void {
  if (step === 0) {
    connection.run("begin");
    connection.query("select count(*) from meta").get();
  }
  if (step === SNAPSHOT_BLOCKS - 1) connection.run("rollback");
}

function movedPages({ connection }: DatabaseHandle): { log: number; moved: number } {
  const row = connection
    .query<{ log: bigint; checkpointed: bigint }, []>("pragma wal_checkpoint(noop)")
    .get();
  return { log: Number(row?.log ?? 0n), moved: Number(row?.checkpointed ?? 0n) };
}

const ms = (times: readonly number[], part: number): string =>
  quantile(times, part).toFixed(1).padStart(7);

async function measure(name: string, inCommits: boolean, hasReader: boolean): Promise<void> {
  using folder = temporaryFolder();
  const path = folder.file("chain.db");
  const handle = await openDatabase({ path, chainId: "B", mode: "writer", durability: "full" });
  const reader = await openDatabase({ path, chainId: "B", mode: "reader", durability: "full" });
  if (inCommits) handle.connection.run("pragma wal_autocheckpoint = 4096");
  const writer = createChainWriter(handle);
  const commits: number[] = [];
  const withCheckpoint: number[] = [];
  const checkpoints: number[] = [];
  const after: number[] = [];
  let isAfter = false;
  let longest = 0;
  for (let number = 0; number < blocks; number++) {
    const commit = made(number);
    if (hasReader) readOn(reader, number % SNAPSHOT_BLOCKS);
    const startedMs = performance.now();
    writer.commitBlock(commit);
    const tookMs = performance.now() - startedMs;
    commits.push(tookMs);
    if (isAfter) after.push(tookMs);
    isAfter = false;
    const { log, moved } = movedPages(handle);
    longest = Math.max(longest, log);
    if (inCommits) {
      isAfter = moved === log;
      if (isAfter) withCheckpoint.push(tookMs);
      continue;
    }
    handle.checkpointIfLong();
    isAfter = movedPages(handle).moved > moved;
    if (isAfter) checkpoints.push(performance.now() - startedMs - tookMs);
  }
  const during = inCommits ? withCheckpoint : checkpoints;
  const columns = [
    name,
    ms(commits, 0.5),
    ms(commits, 0.99),
    ms(commits, 1),
    String(during.length).padStart(8),
    ms(during, 0.5),
    ms(during, 1),
    ms(after, 0.5),
    ms(after, 1),
    `${(longest / 256).toFixed(0)} MiB`.padStart(9),
  ];
  console.log(columns.join(" "));
  reader.close();
  handle.close();
  if (inCommits && hasReader) {
    console.log(`each file has ${(statSync(path).size / 2 ** 20).toFixed(0)} MiB at the end`);
  }
}

console.log(`${blocks} blocks of ${transfers} transfers; milliseconds`);
console.log(
  "                              commits                 the log is moved       the next one      log",
);
console.log(
  "log is moved                  p50     p99 slowest    times     p50 slowest     p50 slowest  longest",
);
for (const hasReader of [false, true]) {
  const suffix = hasReader ? ", reader" : "        ";
  await measure(`between commits${suffix}`.padEnd(25), false, hasReader);
  await measure(`by commits${suffix}`.padEnd(25), true, hasReader);
}

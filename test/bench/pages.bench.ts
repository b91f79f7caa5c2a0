/**
 * Page sizes and memory maps: copies a chain with each page size and reads at random places through
 * each size of the map; rows take turns, so that other load affects all of them.
 *
 * Arguments: a file of `./scripts/bench chain 100000 FILE` (default: a chain of 5000 blocks), reads
 * per row (default 20 000).
 */
import { Database } from "bun:sqlite";
import { rmSync, statSync } from "node:fs";
import { createChainReader, createChainWriter, openDatabase } from "#io/storage/index.ts";
import { PEDERSEN, proveKeys, STATE_TRIE_HEIGHT } from "#protocol/trie/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { balanceSlot, ChainMaker, hashAt, MADE_UP, mixed, TOKEN } from "./chain-blocks.ts";
import { quantile, timesOf } from "./latency.ts";

const [file, reads = "20000"] = process.argv.slice(2);
const RUNS = Number(reads);
const PAGE_SIZES: readonly number[] = [4096, 8192, 16_384];
const MIB = 2 ** 20;
const MAPS: readonly number[] = [0, 256 * MIB, 1024 * MIB];
const OPTIONS = { chainId: "B", durability: "normal" } as const;

using folder = temporaryFolder();
const source = file ?? folder.file("chain.db");
if (file === undefined) {
  const handle = await openDatabase({ ...OPTIONS, path: source, mode: "writer" });
  const writer = createChainWriter(handle, { keepProofs: 128 });
  const maker = new ChainMaker(createChainReader(handle), writer, MADE_UP);
  for (let number = 0; number < 5000; number++) maker.add(number);
  handle.close();
}

async function measure(path: string, mapBytes: number): Promise<string> {
  const handle = await openDatabase({ ...OPTIONS, path, mode: "reader" });
  handle.connection.run(`pragma mmap_size = ${mapBytes}`);
  const chain = createChainReader(handle);
  const newest = chain.latestNumber() ?? 0;
  const block = (i: number): number => 1 + (mixed(i, 9) % newest);
  const tries = chain.trieAt(newest);
  const root = tries.root({ kind: "storage", contractAddress: TOKEN });
  const rows = [
    await timesOf(RUNS, (i) => chain.stateAt(block(i)).storageAt(TOKEN, balanceSlot(mixed(i, 1)))),
    await timesOf(RUNS, (i) => chain.header(block(i))),
    await timesOf(RUNS / 4, (i) => chain.locate(hashAt(block(i), i % 3))),
    await timesOf(RUNS / 4, (i) => chain.stateDiff(block(i))),
    await timesOf(RUNS / 20, (i) =>
      proveKeys(tries, root, STATE_TRIE_HEIGHT, [balanceSlot(mixed(i, 2))], PEDERSEN),
    ),
  ];
  handle.close();
  return rows
    .map((times) => `${quantile(times, 0.5).toFixed(1)}/${quantile(times, 0.9).toFixed(1)}`)
    .map((text) => text.padStart(14))
    .join("");
}

console.log(
  "page    map MiB  file MiB     storageAt        header        locate     stateDiff         proof",
);
for (const pageSize of PAGE_SIZES) {
  const path = folder.file(`pages-${pageSize}.db`);
  using original = new Database(source, { readonly: true, strict: true });
  original.run(`pragma page_size = ${pageSize}`);
  original.query("vacuum into ?").run(path);
  using copy = new Database(path);
  copy.run("pragma journal_mode = wal");
  const mib = (statSync(path).size / MIB).toFixed(0);
  for (const mapBytes of MAPS) {
    const line = await measure(path, mapBytes);
    console.log(
      `${String(pageSize).padEnd(8)}${String(mapBytes / MIB).padStart(7)}${mib.padStart(10)}${line}`,
    );
  }
  rmSync(path);
}

/**
 * Commitment of storage changes on a contract with many slots, from a database in a file: with the
 * trie rows that blocks leave in the writer's cache, with the paths prefetched (as batches arrive),
 * and with an empty cache. Medians and maxima in milliseconds.
 *
 * Arguments: slots (default 1 000 000: a minute or two), runs per row (default 9).
 */
import { EMPTY_STATE_DIFF, type StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { createChainReader, createChainWriter, openDatabase } from "#io/storage/index.ts";
import { applyStateDiff, PEDERSEN, visitStateDiff } from "#protocol/trie/index.ts";
import { blockCommit } from "#test/helpers/blocks.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { scatter, TOKEN } from "./chain-blocks.ts";
import { quantile } from "./latency.ts";

const [slots = 1_000_000, runs = 9] = process.argv.slice(2).map(Number);
const STEP = 20_000;

using folder = temporaryFolder();
const path = folder.file("chain.db");
const handle = await openDatabase({ path, chainId: "B", mode: "writer", durability: "normal" });
const chain = createChainReader(handle);
let writer = createChainWriter(handle, { keepProofs: 1 });

/** Changes of the next block: `count` slots from `first` on. */
function changesOf(diff: StateDiff) {
  const contracts = chain.stateAt(chain.latestNumber() ?? -1);
  return applyStateDiff({
    diff,
    store: writer.trieStore,
    contracts,
    pedersen: PEDERSEN,
    alwaysHashClasses: true,
  });
}

function diffOf(count: number, slotAt: (i: number) => number, value: bigint): StateDiff {
  const entries = Array.from({ length: count }, (_, i): [Felt, Felt] => [
    scatter(slotAt(i)),
    value,
  ]);
  return { ...EMPTY_STATE_DIFF, storageDiffs: new Map([[TOKEN, new Map(entries)]]) };
}

function commit(diff: StateDiff): void {
  const { changes: trie } = changesOf(diff);
  const number = (chain.latestNumber() ?? -1) + 1;
  writer.commitBlock(blockCommit(number, { stateDiff: diff, trie }));
  handle.checkpointIfLong();
}

const startedMs = performance.now();
for (let from = 0; from < slots; from += STEP) commit(diffOf(STEP, (i) => from + i, 1n));
console.log(`${slots} slots in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);

let round = 1;

function measure(count: number, name: string, isNew: boolean, cache: "kept" | "ahead" | "empty") {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    round++;
    const first = round * 7919;
    const slotAt = isNew
      ? (i: number) => slots + round * 100_000 + i
      : (i: number) => (first + i * 97) % slots;
    const diff = diffOf(count, slotAt, BigInt(round));
    if (cache === "empty") writer = createChainWriter(handle, { keepProofs: 1 });
    if (cache === "ahead") visitStateDiff(writer.trieStore, diff);
    const beganMs = performance.now();
    changesOf(diff);
    times.push(performance.now() - beganMs);
    commit(diff);
  }
  const figures = [quantile(times, 0.5), quantile(times, 1)].map((ms) => ms.toFixed(0).padStart(7));
  console.log(`${String(count).padStart(6)} ${name.padEnd(36)}${figures.join("")}`);
}

console.log("changes                                      p50 slowest");
for (const count of [1000, 10_000]) {
  measure(count, "old slots", false, "kept");
  measure(count, "old slots, read ahead", false, "ahead");
  measure(count, "old slots, empty cache", false, "empty");
  measure(count, "new slots", true, "kept");
}
handle.close();

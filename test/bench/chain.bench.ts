/**
 * A chain of many small blocks: the time to create it, the size of its tables, and the latency of
 * every read at its beginning, in its middle and at its tip, in one process.
 *
 * Arguments: blocks (default 100 000: at least five minutes), file (default: a temporary one; an
 * existing one is read unchanged), `keep-proofs` (default 128), `prune-history` (default
 * `archive`).
 */
import { existsSync } from "node:fs";
import { createChainReader, createChainWriter, openDatabase } from "#io/storage/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { ChainMaker, MADE_UP, TRANSACTIONS } from "./chain-blocks.ts";
import { printReads } from "./chain-reads.ts";
import { printSizes } from "./chain-sizes.ts";

const [count = "100000", file, keepProofs = "128", pruneHistory = "archive"] =
  process.argv.slice(2);
const RUNS = 1000;
const blocks = Number(count);
using folder = temporaryFolder();
const path = file ?? folder.file("chain.db");

const kept = (text: string): number | "archive" => (text === "archive" ? text : Number(text));

async function makeChain(): Promise<void> {
  const handle = await openDatabase({ path, chainId: "B", mode: "writer", durability: "normal" });
  const writer = createChainWriter(handle, {
    keepProofs: kept(keepProofs),
    pruneHistory: kept(pruneHistory),
  });
  const maker = new ChainMaker(createChainReader(handle), writer, MADE_UP);
  for (let number = 0; number < blocks; number++) {
    maker.add(number);
    handle.checkpointIfLong();
  }
  const each = (ms: number): string => ((ms * 1000) / blocks).toFixed(0);
  console.log(
    `${blocks} blocks of ${TRANSACTIONS} transactions: ${each(maker.completeMs)} us a block to hash, ${each(maker.commitMs)} us to store`,
  );
  handle.checkpoint();
  handle.close();
}

if (existsSync(path)) console.log(`reading ${path}`);
else await makeChain();
const startedMs = performance.now();
const reading = await openDatabase({ path, chainId: "B", mode: "reader", durability: "normal" });
const chain = createChainReader(reading);
const newest = chain.latestNumber() ?? 0;
console.log(`opened in ${(performance.now() - startedMs).toFixed(1)} ms`);
printSizes(reading, newest + 1, newest * TRANSACTIONS);
await printReads(chain, RUNS);
reading.close();

import { executeQuery } from "#test/helpers/execute-query.ts";
import { createMethodTables } from "#api/rpc/index.ts";
import { type JsonValue, stringifyJson } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import { PEDERSEN, proveKeys, STATE_TRIE_HEIGHT } from "#protocol/trie/index.ts";
import { balanceSlot, contract, hashAt, mixed, sender, TOKEN } from "./chain-blocks.ts";
import { printed, timesOf } from "./latency.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { SILENT } from "#test/helpers/serving.ts";

/** A read at a block; `i` differs each time. */
type Read = (block: number, i: number) => unknown;

/** A range of blocks to read at. */
export interface Place {
  readonly name: string;
  /** Block for the `i`-th read. */
  readonly block: (i: number) => number;
  /** Whether the tries of its blocks are kept. */
  readonly hasTries: boolean;
}

/** Ranges at the beginning, in the middle and at the tip, and all blocks. */
export function placesOf(newest: number, oldestTrie: number): Place[] {
  const near = (name: string, first: number): Place => ({
    name,
    block: (i) => Math.min(newest, first + (i % 50)),
    hasTries: first >= oldestTrie,
  });
  return [
    near("block 1", 1),
    near(`block ${Math.floor(newest / 2)}`, Math.floor(newest / 2)),
    near("tip", newest - 49),
    { name: "any block", block: (i) => 1 + (mixed(i, 9) % newest), hasTries: false },
  ];
}

function storageReads(chain: StoredChainReader): ReadonlyMap<string, Read> {
  const located = (block: number) => chain.locate(hashAt(block, block % 3));
  return new Map<string, Read>([
    ["header", (block) => chain.header(block)],
    ["storageAt", (block, i) => chain.stateAt(block).storageAt(TOKEN, balanceSlot(mixed(i, 1)))],
    ["nonceAt", (block, i) => chain.stateAt(block).nonceAt(sender(i))],
    ["classHashAt", (block, i) => chain.stateAt(block).classHashAt(contract(i))],
    ["lastStorageUpdate", (block, i) => chain.lastStorageUpdate(TOKEN, balanceSlot(i), block)],
    ["locate", (block) => located(block)],
    ["transactions", (block) => chain.transactions(block)],
    ["receipts", (block) => chain.receipts(block)],
    ["stateDiff", (block) => chain.stateDiff(block)],
    ["bundleBytes", (block) => chain.bundleBytes(block)],
    [
      "proof of a variable",
      (block, i) => {
        const tries = chain.trieAt(block);
        const root = tries.root({ kind: "storage", contractAddress: TOKEN });
        return proveKeys(tries, root, STATE_TRIE_HEIGHT, [balanceSlot(mixed(i, 1))], PEDERSEN);
      },
    ],
  ]);
}

const hex = hexFromFelt;
const at = (block: number) => ({ block_number: block });

/** Parameters of a method at a block. */
type Params = (block: number, i: number) => { readonly [name: string]: JsonValue };

function rpcParams(classHash: Felt): readonly (readonly [method: string, params: Params])[] {
  const transaction = (block: number) => ({ transaction_hash: hex(hashAt(block, block % 3)) });
  const events = (block: number, chunk: number) => ({
    filter: { from_block: at(block), to_block: at(block + 40), chunk_size: chunk },
  });
  return [
    ["getBlockWithTxHashes", (block) => ({ block_id: at(block) })],
    ["getBlockWithTxs", (block) => ({ block_id: at(block) })],
    ["getBlockWithReceipts", (block) => ({ block_id: at(block) })],
    ["getBlockTransactionCount", (block) => ({ block_id: at(block) })],
    ["getStateUpdate", (block) => ({ block_id: at(block) })],
    [
      "getStorageAt",
      (block, i) => ({
        block_id: at(block),
        contract_address: hex(TOKEN),
        key: hex(balanceSlot(mixed(i, 1))),
      }),
    ],
    ["getNonce", (block, i) => ({ block_id: at(block), contract_address: hex(sender(i)) })],
    ["getClassHashAt", (block, i) => ({ block_id: at(block), contract_address: hex(contract(i)) })],
    ["getClassAt", (block, i) => ({ block_id: at(block), contract_address: hex(contract(i)) })],
    ["getClass", (block) => ({ block_id: at(block), class_hash: hex(classHash) })],
    ["getTransactionByHash", transaction],
    ["getTransactionReceipt", transaction],
    ["getTransactionStatus", transaction],
    ["getTransactionByBlockIdAndIndex", (block) => ({ block_id: at(block), index: 1 })],
    ["getEvents", (block) => events(block, 100)],
    [
      "getStorageProof",
      (block, i) => ({
        block_id: at(block),
        contract_addresses: [hex(TOKEN)],
        contracts_storage_keys: [
          { contract_address: hex(TOKEN), storage_keys: [hex(balanceSlot(mixed(i, 1)))] },
        ],
      }),
    ],
  ];
}

const NEEDS_TRIES: readonly string[] = ["getStorageProof", "proof of a variable"];

/** Prints the latency of each read at each place: p50 / p99 in microseconds. */
async function printTable(
  title: string,
  places: readonly Place[],
  reads: ReadonlyMap<string, Read>,
  runs: number,
): Promise<void> {
  const names = places.map(({ name }) => name.padStart(19)).join("");
  console.log(`\n${title.padEnd(32)}${names}`);
  for (const [name, read] of reads) {
    let line = name.padEnd(32);
    for (const { block, hasTries } of places) {
      const isPruned = !hasTries && NEEDS_TRIES.includes(name);
      const times = isPruned ? [] : await timesOf(runs, (i) => read(block(i), i));
      line += isPruned ? "-".padStart(19) : printed(times);
    }
    console.log(line);
  }
}

/** Prints the latency of reads on a chain of {@link ChainMaker}, in one process. */
export async function printReads(chain: StoredChainReader, runs: number): Promise<void> {
  const newest = chain.latestNumber() ?? 0;
  const places = placesOf(newest, chain.oldestTrieBlock());
  await printTable("storage, us p50 / p99", places, storageReads(chain), runs);
  const context = sampleContext({ chainId: 0n, chain, pending: () => undefined });
  const [table] = createMethodTables();
  const decoder = new TextDecoder();
  const reads = new Map<string, Read>();
  for (const [method, params] of rpcParams(chain.stateAt(newest).classHashAt(TOKEN))) {
    const ask = (block: number, i: number) =>
      executeQuery(table, context, method, stringifyJson(params(block, i)), SILENT);
    const answer = decoder.decode(await ask(newest, 1));
    if (!answer.startsWith('{"result"')) console.log(`${method}: ${answer.slice(0, 200)}`);
    reads.set(method, ask);
  }
  await printTable("JSON-RPC, no answers kept", places, reads, runs);
}

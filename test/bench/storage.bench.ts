import { statSync } from "node:fs";
import type { Event, HashedTransaction, Receipt, StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { createChainReader, createChainWriter, openDatabase } from "#io/storage/index.ts";
import { blockCommit } from "#test/helpers/blocks.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { encodeBundle } from "../helpers/bundle.ts";
import { applyStateDiff, PEDERSEN } from "#protocol/trie/index.ts";

/**
 * Stores blocks of ERC-20 transfers to fresh recipients and prints rates and bytes per transfer, by
 * default with the tries of the newest 128 blocks.
 *
 * Arguments: blocks (default 300), transfers per block (default 100), `keep-proofs`,
 * `prune-history` (default `archive`).
 */

const BLOCKS = Number(process.argv[2] ?? 300);
const TRANSFERS = Number(process.argv[3] ?? 100);
const [, , , , KEEP_PROOFS = "128", PRUNE_HISTORY = "archive"] = process.argv;
const kept = (text: string): number | "archive" => (text === "archive" ? text : Number(text));
const SENDERS = 100;
const TOKEN = hashOf("token");
const TRANSFER = hashOf("transfer");
const TRANSFER_EVENT = hashOf("Transfer");
const SEQUENCER = hashOf("sequencer");

function hashOf(name: string): Felt {
  return BigInt(`0x${new Bun.CryptoHasher("sha256").update(name).digest("hex")}`) >> 5n;
}

const senders = Array.from({ length: SENDERS }, (_, i) => hashOf(`sender ${i}`));
const balanceKeys = new Map(senders.map((sender) => [sender, hashOf(`balance ${sender}`)]));

function transferEvent(from: Felt, to: Felt, amount: bigint): Event {
  return { fromAddress: TOKEN, keys: [TRANSFER_EVENT, from, to], data: [amount, 0n] };
}

function transactionOf(id: number, sender: Felt, recipient: Felt): HashedTransaction {
  const bound = { maxAmount: 1_200_000n, maxPricePerUnit: 30_000_000_000n };
  return {
    hash: hashOf(`transaction ${id}`),
    transaction: {
      type: "INVOKE",
      version: 3,
      resourceBounds: {
        l1Gas: { maxAmount: 0n, maxPricePerUnit: 60_000_000_000_000n },
        l2Gas: bound,
        l1DataGas: { maxAmount: 600n, maxPricePerUnit: 40_000n },
      },
      tip: 0n,
      paymasterData: [],
      nonceDataAvailabilityMode: 0,
      feeDataAvailabilityMode: 0,
      signature: [hashOf(`r ${id}`), hashOf(`s ${id}`)],
      nonce: BigInt(Math.floor(id / SENDERS)),
      senderAddress: sender,
      calldata: [1n, TOKEN, TRANSFER, 3n, recipient, 1_000_000_000_000n + BigInt(id), 0n],
      accountDeploymentData: [],
      proofFacts: [],
    },
  };
}

function receiptOf(id: number, sender: Felt, recipient: Felt): Receipt {
  const actualFee = 25_000_000_000_000_000n + BigInt((id * 7919) % 100_000);
  return {
    transactionHash: hashOf(`transaction ${id}`),
    actualFee,
    feeUnit: "FRI",
    events: [
      transferEvent(sender, recipient, 1_000_000_000_000n + BigInt(id)),
      transferEvent(sender, SEQUENCER, actualFee),
    ],
    messages: [],
    status: { kind: "succeeded" },
    gas: { l1Gas: 0n, l1DataGas: 256n, l2Gas: 842_560n },
    daGas: { l1Gas: 0n, l1DataGas: 256n, l2Gas: 0n },
    vmResources: { steps: 9712, memoryHoles: 0, builtins: { range_check: 211, pedersen: 7 } },
  };
}

function diffOf(block: number): StateDiff {
  const token = new Map<Felt, Felt>([[hashOf("sequencer balance"), 1n << 90n]]);
  const nonces = new Map<Felt, Felt>();
  for (let i = 0; i < TRANSFERS; i++) {
    const id = block * TRANSFERS + i;
    const sender = senders[id % SENDERS] ?? 0n;
    token.set(balanceKeys.get(sender) ?? 0n, (1n << 80n) - BigInt(id));
    token.set(hashOf(`recipient balance ${id}`), 1_000_000_000_000n + BigInt(id));
    nonces.set(sender, BigInt(Math.floor(id / SENDERS) + 1));
  }
  const none = new Map<Felt, Felt>();
  return {
    storageDiffs: new Map([[TOKEN, token]]),
    nonces,
    deployedContracts: block === 0 ? new Map(senders.map((sender) => [sender, 1n])) : none,
    replacedClasses: none,
    declaredClasses: none,
    deprecatedDeclaredClasses: new Set(),
    migratedCompiledClasses: none,
  };
}

using folder = temporaryFolder();
const path = folder.file("chain.db");
const handle = await openDatabase({ path, chainId: "B", mode: "writer", durability: "full" });
const writer = createChainWriter(handle, {
  keepProofs: kept(KEEP_PROOFS),
  pruneHistory: kept(PRUNE_HISTORY),
});
const writerReader = createChainReader(handle);
let trieMs = 0;
let commitMs = 0;
let bundleMs = 0;
let bundleBytes = 0;
let trieRows = 0;
const sizeAt: number[] = [];
for (let number = 0; number < BLOCKS; number++) {
  const ids = Array.from({ length: TRANSFERS }, (_, i) => number * TRANSFERS + i);
  const parties = ids.map(
    (id) => [id, senders[id % SENDERS] ?? 0n, hashOf(`recipient ${id}`)] as const,
  );
  const stateDiff = diffOf(number);
  let start = performance.now();
  const { changes } = applyStateDiff({
    diff: stateDiff,
    store: writer.trieStore,
    contracts: writerReader.stateAt(number - 1),
    pedersen: PEDERSEN,
    alwaysHashClasses: true,
  });
  trieMs += performance.now() - start;
  trieRows += changes.added.length;
  const commit = blockCommit(number, {
    transactions: parties.map((party) => transactionOf(...party)),
    receipts: parties.map((party) => receiptOf(...party)),
    stateDiff,
    trie: changes,
  });
  start = performance.now();
  writer.commitBlock(commit);
  commitMs += performance.now() - start;
  start = performance.now();
  bundleBytes += encodeBundle(commit).length;
  bundleMs += performance.now() - start;
  handle.checkpoint();
  sizeAt.push(statSync(path).size);
}
const count = BLOCKS * TRANSFERS;
const half = Math.floor(BLOCKS / 2);
const perTransfer =
  ((sizeAt.at(-1) ?? 0) - (sizeAt[half - 1] ?? 0)) / ((BLOCKS - half) * TRANSFERS);
console.log(`transfers                  ${count} in ${BLOCKS} blocks`);
console.log(`tries                      ${((trieMs * 1000) / count).toFixed(1)} us per transfer`);
console.log(`trie rows                  ${(trieRows / count).toFixed(2)} per transfer`);
console.log(`commit                     ${((commitMs * 1000) / count).toFixed(1)} us per transfer`);
console.log(`encode bundle              ${((bundleMs * 1000) / count).toFixed(1)} us per transfer`);
console.log(`bundle                     ${(bundleBytes / count).toFixed(0)} bytes per transfer`);
console.log(`disk, second half          ${perTransfer.toFixed(0)} bytes per transfer`);

handle.connection.run("pragma wal_checkpoint(truncate)");
try {
  const rows = handle.connection
    .query<{ name: string; size: bigint; payload: bigint }, []>(
      "select name, sum(pgsize) as size, sum(payload) as payload from dbstat group by name order by size desc limit 9",
    )
    .all();
  for (const { name, size, payload } of rows) {
    console.log(
      `  ${name.padEnd(24)} ${(Number(size) / count).toFixed(0)} (payload ${(Number(payload) / count).toFixed(0)}) bytes per transfer`,
    );
  }
} catch {
  console.log("  (this SQLite has no dbstat)");
}

const reading = await openDatabase({ path, chainId: "B", mode: "reader", durability: "normal" });
const reader = createChainReader(reading);
const state = reader.stateAt(BLOCKS - 1);
const keys = Array.from({ length: 1000 }, (_, i) => hashOf(`recipient balance ${(i * 7) % count}`));
const hashes = Array.from({ length: 1000 }, (_, i) => hashOf(`transaction ${(i * 7) % count}`));

function rate(name: string, runs: number, run: (i: number) => unknown): void {
  for (let i = 0; i < runs / 10; i++) run(i);
  const start = performance.now();
  for (let i = 0; i < runs; i++) run(i);
  const perSecond = (runs * 1000) / (performance.now() - start);
  console.log(`${name.padEnd(26)} ${Math.round(perSecond)} per second`);
}

rate("latestNumber", 100_000, () => reader.latestNumber());
rate("storageAt", 100_000, (i) => state.storageAt(TOKEN, keys[i % 1000] ?? 0n));
rate("nonceAt", 100_000, (i) => state.nonceAt(senders[i % SENDERS] ?? 0n));
rate("header", 20_000, (i) => reader.header(i % BLOCKS));
rate("locate", 5_000, (i) => reader.locate(hashes[i % 1000] ?? 0n));
rate("locate + receiptAt", 5_000, (i) => {
  const location = reader.locate(hashes[i % 1000] ?? 0n);
  return location && reader.receiptAt(location);
});
rate("bundleBytes", 50, (i) => reader.bundleBytes(i % BLOCKS));
rate("stateDiff", 50, (i) => reader.stateDiff(i % BLOCKS));
const start = performance.now();
writer.revertTo(BLOCKS - 2);
console.log(`revert one block           ${(performance.now() - start).toFixed(1)} ms`);
reading.close();
handle.close();

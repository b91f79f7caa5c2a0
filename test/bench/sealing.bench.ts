/**
 * Work that remains when a block is sealed: roots, commitments, hash, signature and the commit, for
 * blocks of transfers on a token with many balances, by size of the cache of trie nodes; without
 * and with the preparation as batches arrive. Medians, also of the times between two seals, in
 * milliseconds.
 *
 * Arguments: balances (default 400 000), transfers per block (default 1000), blocks per row
 * (default 15).
 */
import {
  EMPTY_STATE_DIFF,
  encodedTransaction,
  type Event,
  IncrementalCommitments,
  type StateDiff,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { createChainReader, createChainWriter, openDatabase } from "#io/storage/index.ts";
import { PEDERSEN, visitStateDiff } from "#protocol/trie/index.ts";
import { completeBlock } from "#services/sequencer/index.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";
import { testHeader } from "#test/helpers/blocks.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const [balances = 400_000, transfers = 1000, blocks = 15] = process.argv.slice(2).map(Number);
const ACCOUNTS = 10_000;
const BATCH = 64;
const TOKEN = 0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7n;
const SEQUENCER = 0x1176a1bd84444c89232ec27754698e5d2e7e1a7f1539f12027f28b23ec9f3d8n;
const KEY_MASK = (1n << 251n) - 1n;
const MIB = 2 ** 20;

/** Pseudorandom 251-bit numbers, the same in every run. */
const scatter = (seed: number): Felt =>
  (BigInt(seed + 1) * 0x5851f42d4c957f2d14057b7ef767814f9e3779b97f4a7c15f39cc0605cedc834n) &
  KEY_MASK;

using folder = temporaryFolder();
const database = await openDatabase({
  path: folder.file("chain.db"),
  chainId: "BENCH",
  mode: "writer",
  durability: "full",
});
const chain = createChainReader(database);
let writer = createChainWriter(database, { keepProofs: 128 });

type Body = Pick<Parameters<typeof completeBlock>[0]["draft"], "transactions" | "receipts">;
const NO_BODY: Body = { transactions: [], receipts: [] };

function commit(
  diff: StateDiff,
  body: Body = NO_BODY,
  commitments: IncrementalCommitments | null = null,
): void {
  const number = (chain.latestNumber() ?? -1) + 1;
  const { hash: _, ...info } = testHeader(number);
  const { block, trie } = completeBlock({
    draft: { info, ...body, stateDiff: diff },
    commitments,
    parent: chain.header(number - 1),
    stateBefore: chain.stateAt(number - 1),
    tries: writer.trieStore,
    pedersen: PEDERSEN,
    signingKey: 0x1234n,
  });
  writer.commitBlock({ block, epoch: 0, classes: [], inputs: { l1Messages: [] }, trie });
}

const accounts = Array.from({ length: ACCOUNTS }, (_, i) => scatter(-2 - i));
commit({
  ...EMPTY_STATE_DIFF,
  deployedContracts: new Map(accounts.map((address) => [address, 0x1234n])),
  storageDiffs: new Map(accounts.map((address) => [address, new Map([[7n, address]])])),
});
for (let from = 0; from < balances; from += 20_000) {
  const seeds = Array.from({ length: 20_000 }, (_, i) => from + i);
  const entries = new Map(seeds.map((seed) => [scatter(seed), 10n ** 18n + BigInt(seed)]));
  commit({ ...EMPTY_STATE_DIFF, storageDiffs: new Map([[TOKEN, entries]]) });
}

let round = 0;

/** A block in batches, each with its changes, and the changes of all. */
function makeBlock(): { batches: (Body & { diff: StateDiff })[]; body: Body; diff: StateDiff } {
  round++;
  const batches: (Body & { diff: StateDiff })[] = [];
  const all = new Map<Felt, Felt>();
  const nonces = new Map<Felt, Felt>();
  for (let first = 0; first < transfers; first += BATCH) {
    const changed = new Map<Felt, Felt>([[scatter(-1), BigInt(round * transfers + first)]]);
    const counted = new Map<Felt, Felt>();
    const ids = Array.from({ length: Math.min(BATCH, transfers - first) }, (_, i) => first + i);
    for (const i of ids) {
      // Senders follow no order.
      const sender = (round * 7919 + i * 6151) % ACCOUNTS;
      changed.set(scatter((sender * 37) % balances), BigInt(round * 1_000_000 + i));
      changed.set(scatter(balances + round * transfers + i), 1n);
      counted.set(accounts[sender] ?? 0n, BigInt(round + 1));
    }
    const transactions = ids.map((i) =>
      encodedTransaction({ hash: scatter(round * 100_000 + i), transaction: emptyInvoke(1n, 1n) }),
    );
    const event: Event = { fromAddress: TOKEN, keys: [1n, 2n, 3n], data: [4n, 0n] };
    const receipts = transactions.map(({ hash }) =>
      fakeReceipt({
        transactionHash: hash,
        events: [event, { ...event, keys: [1n, hash, SEQUENCER] }],
      }),
    );
    const diff = {
      ...EMPTY_STATE_DIFF,
      storageDiffs: new Map([[TOKEN, changed]]),
      nonces: counted,
    };
    batches.push({ transactions, receipts, diff });
    for (const entry of changed) all.set(...entry);
    for (const entry of counted) nonces.set(...entry);
  }
  return {
    batches,
    body: {
      transactions: batches.flatMap((batch) => batch.transactions),
      receipts: batches.flatMap((batch) => batch.receipts),
    },
    diff: { ...EMPTY_STATE_DIFF, storageDiffs: new Map([[TOKEN, all]]), nonces },
  };
}

function median(values: readonly number[]): string {
  return ([...values].sort((a, b) => a - b)[values.length >> 1] ?? 0).toFixed(1).padStart(8);
}

console.log(`${transfers} transfers, ${balances} balances, ${chain.latestNumber()} blocks before`);
console.log("cache MiB   sealed   | prepared: batches, sealed");
for (const cacheMib of [0, 8, 16, 32, 64, 128, 256]) {
  writer = createChainWriter(database, { keepProofs: 128, trieCacheBytes: cacheMib * MIB });
  const bare: number[] = [];
  const batched: number[] = [];
  const prepared: number[] = [];
  for (let i = 0; i < 2 * blocks; i++) {
    const { batches, body, diff } = makeBlock();
    const prepares = i % 2 === 1;
    const start = performance.now();
    const commitments = prepares ? new IncrementalCommitments("0.14.0") : undefined;
    for (const batch of prepares ? batches : []) {
      commitments?.add(batch.transactions, batch.receipts);
      visitStateDiff(writer.trieStore, batch.diff);
    }
    const sealed = performance.now();
    commit(diff, body, commitments);
    (prepares ? prepared : bare).push(performance.now() - sealed);
    if (prepares) batched.push(sealed - start);
  }
  // The first blocks fill the cache.
  const warm = (times: readonly number[]): string => median(times.slice(Math.floor(blocks / 3)));
  console.log(
    `${String(cacheMib).padStart(9)} ${warm(bare)}   | ${warm(batched)} ${warm(prepared)}`,
  );
}
database.close();

import { bench, do_not_optimize, group, run } from "mitata";
import { EMPTY_STATE_DIFF, type StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { MemoryTrieStore } from "#test/helpers/memory-trie-store.ts";
import { indexTreeRoot } from "../helpers/index-tree-root.ts";
import {
  applyStateDiff,
  PEDERSEN,
  proveKeys,
  STATE_TRIE_HEIGHT,
  type StateTrieResult,
} from "#protocol/trie/index.ts";

/**
 * The tries under a load of ERC-20 transfers: a token with 400 000 balances, 10 000 accounts. Run
 * with `bun test/bench/trie.bench.ts`. Times per block; divide by the number of transfers.
 */
const BALANCES = 400_000;
const ACCOUNTS = 10_000;
const TOKEN = 0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7n;
const SEQUENCER = 0x1176a1bd84444c89232ec27754698e5d2e7e1a7f1539f12027f28b23ec9f3d8n;
const KEY_MASK = (1n << 251n) - 1n;

/** Pseudorandom 251-bit numbers, the same in every run. */
const scatter = (seed: number): Felt =>
  (BigInt(seed + 1) * 0x5851f42d4c957f2d14057b7ef767814f9e3779b97f4a7c15f39cc0605cedc834n) &
  KEY_MASK;

const contracts = { nonceAt: () => 1n, classHashAt: () => 0x1234n };

function apply(store: MemoryTrieStore, diff: StateDiff): StateTrieResult {
  return applyStateDiff({ diff, store, contracts, pedersen: PEDERSEN, alwaysHashClasses: true });
}

function timed(name: string, work: () => void): void {
  const start = performance.now();
  work();
  console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(2)} s`);
}

const store = new MemoryTrieStore();
timed(`genesis of ${ACCOUNTS} accounts with a public key`, () => {
  const accounts = Array.from({ length: ACCOUNTS }, (_, i) => scatter(-2 - i));
  const diff: StateDiff = {
    ...EMPTY_STATE_DIFF,
    deployedContracts: new Map(accounts.map((address) => [address, 0x1234n])),
    storageDiffs: new Map(accounts.map((address) => [address, new Map([[7n, address]])])),
  };
  store.commit(apply(store, diff).changes);
});
timed(`${BALANCES} balances`, () => {
  for (let from = 0; from < BALANCES; from += 50_000) {
    const seeds = Array.from({ length: 50_000 }, (_, i) => from + i);
    const entries = new Map(seeds.map((seed) => [scatter(seed), 10n ** 18n + BigInt(seed)]));
    const storageDiffs = new Map([[TOKEN, entries]]);
    store.commit(apply(store, { ...EMPTY_STATE_DIFF, storageDiffs }).changes);
  }
});

let round = 0;

/** A block of transfers by distinct accounts to recipients that never had a balance. */
function transfers(count: number): StateDiff {
  round++;
  const balances = new Map<Felt, Felt>([[SEQUENCER, BigInt(round)]]);
  const nonces = new Map<Felt, Felt>();
  for (let i = 0; i < count; i++) {
    const sender = (round * 7919 + i) % ACCOUNTS;
    balances.set(scatter(sender), BigInt(round * 1_000_000 + i));
    balances.set(scatter(BALANCES + round * 10_000 + i), 1n);
    nonces.set(scatter(-2 - sender), BigInt(round + 1));
  }
  return { ...EMPTY_STATE_DIFF, storageDiffs: new Map([[TOKEN, balances]]), nonces };
}

const bytesOf = ({ changes }: StateTrieResult): number =>
  changes.added.reduce((sum, { bytes }) => sum + bytes.length, 0);

for (const count of [1, 100, 1000]) {
  const result = apply(store, transfers(count));
  const rows = result.changes.added.length;
  console.log(
    `${count} transfers: ${(rows / count).toFixed(1)} rows and ` +
      `${(bytesOf(result) / count).toFixed(0)} bytes per transfer, ` +
      `${(result.changes.removed.length / count).toFixed(1)} rows become prunable`,
  );
}

group("applyStateDiff on 400 000 balances", () => {
  for (const count of [1, 10, 100, 1000]) {
    bench(`${count} transfers`, () => do_not_optimize(apply(store, transfers(count))));
  }
});

/** A block that writes existing storage variables, spread over the token's trie. */
function storageChanges(count: number): StateDiff {
  round++;
  const entries = new Map<Felt, Felt>();
  for (let i = 0; i < count; i++) {
    entries.set(scatter((round * 7919 + i * 13) % BALANCES), BigInt(round * 1_000_000 + i));
  }
  return { ...EMPTY_STATE_DIFF, storageDiffs: new Map([[TOKEN, entries]]) };
}

group("applyStateDiff of one contract with 400 000 storage variables", () => {
  for (const count of [10, 1000, 10_000]) {
    bench(`${count} storage changes`, () => do_not_optimize(apply(store, storageChanges(count))));
  }
});

group("proofs", () => {
  const root = store.root({ kind: "storage", contractAddress: TOKEN });
  bench("one key", () =>
    proveKeys(store, root, STATE_TRIE_HEIGHT, [scatter(round++ % BALANCES)], PEDERSEN),
  );
});

group("commitments", () => {
  const leaves = Array.from({ length: 1000 }, (_, i) => scatter(i));
  bench("root of 1000 leaves", () => do_not_optimize(indexTreeRoot(leaves)));
});

await run();

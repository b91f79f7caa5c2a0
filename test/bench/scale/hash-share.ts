import { EMPTY_STATE_DIFF, type StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { applyStateDiff, PEDERSEN, type TrieHash } from "#protocol/trie/index.ts";
import { MemoryTrieStore } from "#test/helpers/memory-trie-store.ts";
import { scatter, TOKEN } from "../chain-blocks.ts";

/** Size from which a batch of pairs is shared: as in `SharedPedersen`. */
const SHARED_BYTES = 2 * 64 * 64;

const SENDERS = 256;
const BALANCES = 40_000;
const PER_BLOCK = 100;
const BLOCKS = 40;

/**
 * Processor time per transfer, in milliseconds, of hashes that threads could share: state roots of
 * blocks of transfers to fresh recipients.
 */
export function sharedHashingMs(): number {
  const store = new MemoryTrieStore();
  let sharedMs = 0;
  let isMeasured = false;
  const pedersen: TrieHash = {
    ...PEDERSEN,
    pairs(bytes) {
      const startedMs = processorMs();
      const hashes = PEDERSEN.pairs(bytes);
      if (isMeasured && bytes.length >= SHARED_BYTES) sharedMs += processorMs() - startedMs;
      return hashes;
    },
  };
  const apply = (diff: StateDiff): void => {
    const contracts = { nonceAt: () => 1n, classHashAt: () => 2n };
    const input = { diff, store, pedersen, contracts, alwaysHashClasses: true };
    store.commit(applyStateDiff(input).changes);
  };
  apply(diffOf(0, BALANCES, 0));
  for (let block = 0; block < BLOCKS; block++) {
    isMeasured = block >= BLOCKS / 4;
    apply(diffOf(BALANCES + block * PER_BLOCK, PER_BLOCK, block + 1));
  }
  return sharedMs / (PER_BLOCK * BLOCKS * 0.75);
}

/**
 * State diff of `count` transfers that change the sender's balance and nonce, and give a new
 * account a balance.
 */
function diffOf(first: number, count: number, nonce: number): StateDiff {
  const balances = new Map<Felt, Felt>();
  const nonces = new Map<Felt, Felt>();
  for (let i = 0; i < count; i++) {
    const sender = i % SENDERS;
    balances.set(scatter(sender), BigInt(first + i + 1) << 64n);
    balances.set(scatter(SENDERS + first + i), 1n);
    nonces.set(scatter(-1 - sender), BigInt(nonce + 1));
  }
  return { ...EMPTY_STATE_DIFF, storageDiffs: new Map([[TOKEN, balances]]), nonces };
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

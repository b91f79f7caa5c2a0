import { expect, test } from "bun:test";
import { EMPTY_STATE_DIFF, type StateDiff } from "#protocol/chain/index.ts";
import { PEDERSEN, proveKeys, STATE_TRIE_HEIGHT } from "#protocol/trie/index.ts";
import { createRandom } from "#test/helpers/random.ts";
import { naiveStateRoot, naiveStorageRoot, StateHistory } from "#test/helpers/state-history.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { verifyProof } from "#test/helpers/verify-proof.ts";

const CONTRACT = 0x77n;
const STORAGE = { kind: "storage", contractAddress: CONTRACT } as const;
/** Number of slots, and its spelling in the test name. */
const SIZE = bySize({ quick: [800, "800"], full: [10_000, "10 000"] } as const);
const STEPS = bySize({ quick: 12, full: 40 });
const MAX_CHANGES = bySize({ quick: 150, full: 600 });
const PROVEN_KEYS = bySize({ quick: 100, full: 400 });
const KEYS = Array.from(
  { length: SIZE[0] },
  (_, i) =>
    (BigInt(i + 1) * 0x5851f42d4c957f2d14057b7ef767814f9e3779b97f4a7c15f39cc0605cedc834n) &
    ((1n << 251n) - 1n),
);
const random = createRandom(integerOfEnvironment("FUZZ_SEED") ?? 20_261_122);

/** Changes of which a quarter zeroes a slot. */
function changes(count: number): StateDiff {
  const entries = Array.from({ length: count }, (): [bigint, bigint] => [
    random.pick(KEYS) ?? 0n,
    BigInt(random.below(4) === 0 ? 0 : 1 + random.below(1e9)),
  ]);
  return { ...EMPTY_STATE_DIFF, storageDiffs: new Map([[CONTRACT, new Map(entries)]]) };
}

test(`${SIZE[1]} keys have the roots and proofs of a naive trie after commits, reverts and pruning`, async () => {
  using folder = temporaryFolder();
  using history = await StateHistory.open(folder.file("chain.db"), { keepProofs: 3 });
  history.commit({
    ...EMPTY_STATE_DIFF,
    storageDiffs: new Map([[CONTRACT, new Map(KEYS.map((key) => [key, 1n]))]]),
  });
  for (let step = 0; step < STEPS; step++) {
    history.commit(changes(1 + random.below(MAX_CHANGES)));
    const choice = random.below(8);
    if (choice === 0) history.revertTo(Math.max(0, history.newest - random.below(10)));
    if (choice === 1) await history.reopen({ keepProofs: 1 + random.below(4) });
    if (choice === 2) history.writer.pruneMore();
  }
  const { reader, states } = history;
  for (let number = reader.oldestTrieBlock(); number <= history.newest; number++) {
    const state = states[number];
    if (state === undefined) throw new TypeError(`there is no block ${number}`);
    expect(reader.header(number)?.newRoot).toBe(naiveStateRoot(state));
    const tries = reader.trieAt(number);
    const root = tries.root(STORAGE);
    const rootHash = naiveStorageRoot(state, CONTRACT);
    expect(root?.hash).toBe(rootHash);
    const keys = KEYS.slice(0, PROVEN_KEYS);
    const proof = proveKeys(tries, root, STATE_TRIE_HEIGHT, keys, PEDERSEN);
    for (const key of keys) {
      const value = state.storage.get(CONTRACT)?.get(key) ?? 0n;
      const proven = verifyProof(rootHash, STATE_TRIE_HEIGHT, PEDERSEN, key, proof);
      expect(proven).toEqual(value === 0n ? { kind: "absent" } : { kind: "present", value });
    }
  }
}, 120_000);

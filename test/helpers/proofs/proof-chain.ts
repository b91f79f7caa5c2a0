import type { ChainReader } from "#engine/state/index.ts";
import type { FullContext } from "#test/helpers/serving.ts";
import type { StateDiff } from "#protocol/chain/index.ts";
import { applyStateDiff, PEDERSEN } from "#protocol/trie/index.ts";
import { createFakeChain, fakeBlock, fakeDiff, stateOfDiffs } from "#test/helpers/fake-chain.ts";
import { MemoryTrieStore } from "#test/helpers/memory-trie-store.ts";
import { naiveTrieRoot } from "#test/helpers/reference/trie.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { classLeafOf, contractLeafOf, stateRootOf, type TrustedHeader } from "./storage-proof.ts";
import { pedersenOf, poseidonOf, TRIE_HEIGHT } from "./trie-walk.ts";

/** Address of a contract with many storage variables and nonce 1; block 1 removes two and changes one. */
export const BUSY = 0xb05en;
/** Address of a contract with one storage variable, which block 2 removes. */
export const SMALL = 0x5a11n;
/** Address of a contract without storage, deployed in block 1; the highest that a contract can have. */
export const BARE = 2n ** 251n - 257n;
/** Address of a system contract: it has storage, and no class. */
export const SYSTEM = 1n;
/** Hash of the Sierra class that block 0 declares. */
export const FIRST_CLASS = 0xc1a55n;
/** Hash of the Sierra class that block 2 declares. */
export const LATER_CLASS = 2n ** 250n + 5n;
/** Keys of {@link BUSY}: close to each other, at both ends, and far apart. */
export const BUSY_KEYS: readonly bigint[] = [
  0n,
  1n,
  2n,
  ...Array.from({ length: 12 }, (_, i) => (BigInt(i + 3) * 2n ** 247n) / 3n),
  2n ** 251n - 2n,
  2n ** 251n - 1n,
];

/** State diffs of the blocks of the chain of {@link proofContext}. */
export const DIFFS: readonly StateDiff[] = [
  fakeDiff({
    deployedContracts: new Map([
      [BUSY, FIRST_CLASS],
      [SMALL, FIRST_CLASS],
    ]),
    declaredClasses: new Map([[FIRST_CLASS, 0xca1n]]),
    nonces: new Map([[BUSY, 1n]]),
    storageDiffs: new Map([
      [BUSY, new Map(BUSY_KEYS.map((key, i) => [key, BigInt(i + 100)]))],
      [SMALL, new Map([[7n, 0x77n]])],
    ]),
  }),
  fakeDiff({
    deployedContracts: new Map([[BARE, FIRST_CLASS]]),
    storageDiffs: new Map([
      [SYSTEM, new Map([[0n, 0xb10c0n]])],
      [
        BUSY,
        new Map([
          [0n, 0n],
          [1n, 0n],
          [2n, 0x222n],
        ]),
      ],
    ]),
  }),
  fakeDiff({
    declaredClasses: new Map([[LATER_CLASS, 0xca2n]]),
    replacedClasses: new Map([[SMALL, LATER_CLASS]]),
    nonces: new Map([[SMALL, 0x10n]]),
    storageDiffs: new Map([[SMALL, new Map([[7n, 0n]])]]),
  }),
  fakeDiff({}),
];

/** Options of {@link proofContext}. */
export interface ProofChainOptions {
  readonly oldestTrieBlock?: number;
  readonly oldestStateBlock?: number;
  /** Called before every read of a node. */
  readonly onRead?: (chain: ChainReader) => void;
}

/** Values of a map after diffs, without zeros. */
function merged(maps: readonly ReadonlyMap<bigint, bigint>[]): Map<bigint, bigint> {
  const all = new Map(maps.flatMap((map) => [...map]));
  return new Map([...all].filter(([, value]) => value !== 0n));
}

/**
 * Roots of the state after diffs, by definition: every trie is built from scratch, by a naive
 * implementation with other hash functions than the chain's.
 */
export function naiveRoots(diffs: readonly StateDiff[]): { contracts: bigint; classes: bigint } {
  const state = stateOfDiffs(diffs);
  const addresses = new Set(
    diffs.flatMap((diff) => [
      ...diff.deployedContracts.keys(),
      ...diff.storageDiffs.keys(),
      ...diff.nonces.keys(),
    ]),
  );
  const leaves = [...addresses].map((address) => {
    const storage = merged(diffs.flatMap((diff) => diff.storageDiffs.get(address) ?? []));
    const storageRoot = naiveTrieRoot(storage, TRIE_HEIGHT, pedersenOf);
    return [
      address,
      contractLeafOf({
        class_hash: String(state.classHashAt(address)),
        nonce: String(state.nonceAt(address)),
        storage_root: String(storageRoot),
      }),
    ] as const;
  });
  const classes = merged(diffs.map((diff) => diff.declaredClasses));
  return {
    contracts: naiveTrieRoot(new Map(leaves), TRIE_HEIGHT, pedersenOf),
    classes: naiveTrieRoot(
      new Map([...classes].map(([hash, compiled]) => [hash, classLeafOf(compiled)])),
      TRIE_HEIGHT,
      poseidonOf,
    ),
  };
}

const HEADERS: readonly TrustedHeader[] = DIFFS.map((_, number) => {
  const { contracts, classes } = naiveRoots(DIFFS.slice(0, number + 1));
  return { hash: 0xb10c0n + BigInt(number), stateRoot: stateRootOf(contracts, classes) };
});

/** Trusted header of a block: its root is computed by {@link naiveRoots}. */
export function headerOf(number: number): TrustedHeader {
  return HEADERS[number] ?? { hash: 0n, stateRoot: 0n };
}

/** A context over a chain of {@link DIFFS} with real tries. */
export function proofContext(
  options: ProofChainOptions = {},
  parts: Partial<FullContext> = {},
): FullContext {
  const store = new MemoryTrieStore();
  for (const [number, diff] of DIFFS.entries()) {
    const contracts = stateOfDiffs(DIFFS.slice(0, number));
    store.commit(
      applyStateDiff({ diff, store, contracts, pedersen: PEDERSEN, alwaysHashClasses: true })
        .changes,
    );
  }
  const { onRead, ...kept } = options;
  const chain: ChainReader = createFakeChain(
    DIFFS.map((stateDiff, number) => {
      const { hash, stateRoot } = headerOf(number);
      return fakeBlock({ header: { number, hash, newRoot: stateRoot }, stateDiff });
    }),
    {
      ...kept,
      l1Accepted: 1,
      trieAt: (number) => ({
        hashes: store.hashes,
        root: (name) => store.rootAt(name, number),
        node(id) {
          onRead?.(chain);
          return store.node(id);
        },
      }),
    },
  );
  return sampleContext({ chain, ...parts });
}

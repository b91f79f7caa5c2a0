import { pedersenBatch, poseidonMany } from "#protocol/crypto/index.ts";
import { compareFelts, type Felt, feltFromShortString } from "#base/primitives/index.ts";
import { POSEIDON, type TrieHash } from "./hash-function.ts";
import { HashRounds } from "./hashing.ts";
import type { AddedNode, ChangedRoot, TrieChanges, TrieName, TrieStore } from "./store.ts";
import { PendingTrie, type UpdatedTrie } from "./update.ts";
import type { LeafUpdate } from "./update-list.ts";

/** Height of all state tries: keys are below 2^251. */
export const STATE_TRIE_HEIGHT = 251;

const STATE_PREFIX = feltFromShortString("STARKNET_STATE_V0");
const CLASS_LEAF_PREFIX = feltFromShortString("CONTRACT_CLASS_LEAF_V0");

/** The trie of all contracts. */
export const CONTRACTS: TrieName = { kind: "contracts", contractAddress: 0n };

/** The trie of all Sierra classes. */
export const CLASSES: TrieName = { kind: "classes", contractAddress: 0n };

/** Parts of a block's state diff that the tries depend on; a `StateDiff` is one. */
export interface StateChanges {
  readonly storageDiffs: ReadonlyMap<Felt, ReadonlyMap<Felt, Felt>>;
  readonly nonces: ReadonlyMap<Felt, Felt>;
  readonly deployedContracts: ReadonlyMap<Felt, Felt>;
  readonly replacedClasses: ReadonlyMap<Felt, Felt>;
  readonly declaredClasses: ReadonlyMap<Felt, Felt>;
  readonly migratedCompiledClasses: ReadonlyMap<Felt, Felt>;
}

/**
 * Nonces and class hashes of contracts before the block (or after it: the diff takes precedence); absent
 * values are 0.
 */
export interface ContractReader {
  nonceAt(contractAddress: Felt): Felt;
  classHashAt(contractAddress: Felt): Felt;
}

/** Input of {@link applyStateDiff}. */
export interface StateTrieInput {
  readonly diff: StateChanges;
  readonly store: TrieStore;
  /** Hash of the contracts trie and of storage tries. */
  readonly pedersen: TrieHash;
  readonly contracts: ContractReader;
  /** Whether the state root covers an empty classes trie: since protocol 0.14.0. */
  readonly alwaysHashClasses: boolean;
}

/** Roots after a block, and the rows to store for them. */
export interface StateTrieResult {
  readonly stateRoot: Felt;
  readonly contractsRoot: Felt;
  readonly classesRoot: Felt;
  readonly changes: TrieChanges;
}

/**
 * Computes the state tries after a block from the newest tries and the block's state diff. Only reads `store`;
 * the result lists the rows to insert and remove.
 *
 * Cost: about `log2(leaves) + 4` hashes and half as many rows per changed storage variable. Hashes run in
 * batches over all storage tries together, then over the contracts trie.
 *
 * @throws {StorageError} when a row of a trie is missing or damaged
 */
export function applyStateDiff(input: StateTrieInput): StateTrieResult {
  const { diff, store } = input;
  const result = new ChangeCollector(store.nextNodeId());

  const pedersen = new HashRounds(input.pedersen, store.hashes);
  const storage = new Map<Felt, PendingTrie>();
  for (const [contractAddress, entries] of diff.storageDiffs) {
    if (entries.size === 0) continue;
    const root = store.root({ kind: "storage", contractAddress });
    const updates = sortedUpdates([...entries]);
    storage.set(
      contractAddress,
      new PendingTrie(store, root, STATE_TRIE_HEIGHT, updates, pedersen),
    );
  }
  pedersen.run();
  for (const [contractAddress, trie] of storage) {
    result.add({ kind: "storage", contractAddress }, trie);
  }

  const contracts = new PendingTrie(
    store,
    store.root(CONTRACTS),
    STATE_TRIE_HEIGHT,
    contractLeaves(input, storage),
    pedersen,
  );
  pedersen.run();
  result.add(CONTRACTS, contracts);

  const poseidon = new HashRounds(POSEIDON, store.hashes);
  const classes = new PendingTrie(
    store,
    store.root(CLASSES),
    STATE_TRIE_HEIGHT,
    classLeaves([...diff.declaredClasses, ...diff.migratedCompiledClasses]),
    poseidon,
  );
  poseidon.run();
  result.add(CLASSES, classes);

  const contractsRoot = contracts.rootHash;
  const classesRoot = classes.rootHash;
  return {
    stateRoot: stateRootHash(contractsRoot, classesRoot, input.alwaysHashClasses),
    contractsRoot,
    classesRoot,
    changes: result.changes(),
  };
}

/**
 * Computes the state root of a block header.
 *
 * @param alwaysHashClasses - `false` before protocol 0.14.0, where a state without Sierra classes used the
 *   contracts root alone
 */
export function stateRootHash(
  contractsRoot: Felt,
  classesRoot: Felt,
  alwaysHashClasses: boolean,
): Felt {
  if (contractsRoot === 0n && classesRoot === 0n) return 0n;
  if (classesRoot === 0n && !alwaysHashClasses) return contractsRoot;
  return poseidonMany([STATE_PREFIX, contractsRoot, classesRoot]);
}

/** Leaf of a contract in the contracts trie; 0 (no leaf) when all fields are 0. */
export function contractLeaf(classHash: Felt, storageRoot: Felt, nonce: Felt): Felt {
  return contractLeafBatch([{ classHash, storageRoot, nonce }])[0] ?? 0n;
}

/** Leaf of a Sierra class in the classes trie. */
export function classLeaf(compiledClassHash: Felt): Felt {
  return POSEIDON.pair(CLASS_LEAF_PREFIX, compiledClassHash);
}

interface ContractState {
  readonly classHash: Felt;
  readonly storageRoot: Felt;
  readonly nonce: Felt;
}

function contractLeafBatch(states: readonly ContractState[]): Felt[] {
  const round = (left: readonly Felt[], right: (state: ContractState) => Felt): Felt[] =>
    pedersenBatch(states.flatMap((state, i) => [left[i] ?? 0n, right(state)]));
  const withStorage = round(
    states.map(({ classHash }) => classHash),
    ({ storageRoot }) => storageRoot,
  );
  const withNonce = round(withStorage, ({ nonce }) => nonce);
  // The last field is the version of the contract state, always 0 so far.
  const leaves = round(withNonce, () => 0n);
  return states.map(({ classHash, storageRoot, nonce }, i) =>
    classHash === 0n && storageRoot === 0n && nonce === 0n ? 0n : (leaves[i] ?? 0n),
  );
}

function contractLeaves(
  { diff, store, contracts }: StateTrieInput,
  storage: ReadonlyMap<Felt, PendingTrie>,
): LeafUpdate[] {
  const addresses = [
    ...new Set([
      ...storage.keys(),
      ...diff.nonces.keys(),
      ...diff.deployedContracts.keys(),
      ...diff.replacedClasses.keys(),
    ]),
  ];
  const leaves = contractLeafBatch(
    addresses.map((address) => ({
      classHash:
        diff.replacedClasses.get(address) ??
        diff.deployedContracts.get(address) ??
        contracts.classHashAt(address),
      storageRoot:
        storage.get(address)?.rootHash ??
        store.root({ kind: "storage", contractAddress: address })?.hash ??
        0n,
      nonce: diff.nonces.get(address) ?? contracts.nonceAt(address),
    })),
  );
  return sortedUpdates(addresses.map((address, i) => [address, leaves[i] ?? 0n]));
}

function classLeaves(classes: readonly (readonly [Felt, Felt])[]): LeafUpdate[] {
  const byHash = new Map(classes);
  return sortedUpdates([...byHash].map(([hash, compiled]) => [hash, classLeaf(compiled)]));
}

function sortedUpdates(updates: LeafUpdate[]): LeafUpdate[] {
  return updates.sort(([a], [b]) => compareFelts(a, b));
}

/** Assigns consecutive ids to the new rows of all changed tries. */
class ChangeCollector {
  readonly #added: AddedNode[] = [];
  readonly #removed: number[] = [];
  readonly #roots: ChangedRoot[] = [];
  #nextId: number;

  constructor(nextId: number) {
    this.#nextId = nextId;
  }

  add(name: TrieName, trie: PendingTrie): void {
    if (!trie.changed) return;
    const { root, added, removed }: UpdatedTrie = trie.finish(() => this.#nextId++);
    for (const node of added) this.#added.push(node);
    for (const id of removed) this.#removed.push(id);
    this.#roots.push({ ...name, root });
  }

  changes(): TrieChanges {
    return {
      added: this.#added,
      removed: this.#removed,
      roots: this.#roots,
      lastNodeId: this.#nextId - 1,
    };
  }
}

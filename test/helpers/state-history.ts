import { pedersen, poseidon, poseidonMany } from "#protocol/crypto/index.ts";
import type { StateDiff } from "#protocol/chain/index.ts";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import {
  type ChainWriter,
  type ChainWriterOptions,
  createChainReader,
  createChainWriter,
  type DatabaseHandle,
  openDatabase,
  type StoredChainReader,
} from "#io/storage/index.ts";
import { applyStateDiff, PEDERSEN } from "#protocol/trie/index.ts";
import { blockCommit, type BlockParts } from "#test/helpers/blocks.ts";
import { naiveTrieRoot } from "#test/helpers/reference/trie.ts";

const HEIGHT = 251;
const STATE = feltFromShortString("STARKNET_STATE_V0");
const CLASS_LEAF = feltFromShortString("CONTRACT_CLASS_LEAF_V0");

/** A whole state as plain maps. */
export interface PlainState {
  readonly storage: ReadonlyMap<Felt, ReadonlyMap<Felt, Felt>>;
  readonly nonces: ReadonlyMap<Felt, Felt>;
  readonly classHashes: ReadonlyMap<Felt, Felt>;
  readonly compiled: ReadonlyMap<Felt, Felt>;
}

const EMPTY: PlainState = {
  storage: new Map(),
  nonces: new Map(),
  classHashes: new Map(),
  compiled: new Map(),
};

function applied(state: PlainState, diff: StateDiff): PlainState {
  const storage = new Map(state.storage);
  for (const [address, entries] of diff.storageDiffs) {
    storage.set(address, new Map([...(storage.get(address) ?? []), ...entries]));
  }
  return {
    storage,
    nonces: new Map([...state.nonces, ...diff.nonces]),
    classHashes: new Map([
      ...state.classHashes,
      ...diff.deployedContracts,
      ...diff.replacedClasses,
    ]),
    compiled: new Map([
      ...state.compiled,
      ...diff.declaredClasses,
      ...diff.migratedCompiledClasses,
    ]),
  };
}

/** Roots of storages, which change in few blocks and never in place. */
const storageRoots = new WeakMap<ReadonlyMap<Felt, Felt>, Felt>();

/** Root of a contract's storage, by definition. */
export function naiveStorageRoot(state: PlainState, address: Felt): Felt {
  const storage = state.storage.get(address) ?? new Map<Felt, Felt>();
  const root = storageRoots.get(storage) ?? naiveTrieRoot(storage, HEIGHT, pedersen);
  storageRoots.set(storage, root);
  return root;
}

/** State root of a header of protocol 0.14.0, by definition. */
export function naiveStateRoot(state: PlainState): Felt {
  const addresses = new Set([
    ...state.storage.keys(),
    ...state.nonces.keys(),
    ...state.classHashes.keys(),
  ]);
  const leaves = [...addresses].map((address): [Felt, Felt] => {
    const parts = [
      state.classHashes.get(address) ?? 0n,
      naiveStorageRoot(state, address),
      state.nonces.get(address) ?? 0n,
    ];
    if (parts.every((part) => part === 0n)) return [address, 0n];
    return [address, [...parts, 0n].reduce(pedersen)];
  });
  const contracts = naiveTrieRoot(new Map(leaves), HEIGHT, pedersen);
  const classLeaves = [...state.compiled].map(([hash, compiled]): [Felt, Felt] => [
    hash,
    poseidon(CLASS_LEAF, compiled),
  ]);
  const classes = naiveTrieRoot(new Map(classLeaves), HEIGHT, poseidon);
  if (contracts === 0n && classes === 0n) return 0n;
  return poseidonMany([STATE, contracts, classes]);
}

/** A database whose blocks have real roots, and the same states as plain maps. */
export class StateHistory implements Disposable {
  /** States by block number. */
  readonly states: PlainState[] = [];
  readonly #path: string;
  #handle: DatabaseHandle;
  writer: ChainWriter;
  reader: StoredChainReader;

  private constructor(path: string, handle: DatabaseHandle, options: ChainWriterOptions) {
    this.#path = path;
    this.#handle = handle;
    this.writer = createChainWriter(handle, options);
    this.reader = createChainReader(handle);
  }

  /** @param path - path of a database, which is created */
  static async open(path: string, options: ChainWriterOptions = {}): Promise<StateHistory> {
    return new StateHistory(path, await opened(path), options);
  }

  /** Continues a file with unknown states: those up to its newest block are empty. */
  static async resume(path: string, options: ChainWriterOptions = {}): Promise<StateHistory> {
    const history = await StateHistory.open(path, options);
    const count = (history.reader.latestNumber() ?? -1) + 1;
    for (let number = 0; number < count; number++) history.states.push(EMPTY);
    return history;
  }

  get handle(): DatabaseHandle {
    return this.#handle;
  }

  get newest(): number {
    return this.states.length - 1;
  }

  /** Adds a block. @returns its number */
  commit(diff: StateDiff, parts: Omit<BlockParts, "stateDiff" | "trie"> = {}): number {
    const number = this.states.length;
    const { stateRoot, changes } = applyStateDiff({
      diff,
      store: this.writer.trieStore,
      contracts: this.reader.stateAt(number - 1),
      pedersen: PEDERSEN,
      alwaysHashClasses: true,
    });
    const commit = blockCommit(number, { ...parts, stateDiff: diff, trie: changes });
    const header = { ...commit.block.header, newRoot: stateRoot };
    this.writer.commitBlock({ ...commit, block: { ...commit.block, header } });
    this.states.push(applied(this.states.at(-1) ?? EMPTY, diff));
    return number;
  }

  revertTo(number: number): void {
    this.writer.revertTo(number);
    this.states.length = Math.min(this.states.length, number + 1);
  }

  /** Closes and reopens the file. */
  async reopen(options: ChainWriterOptions = {}): Promise<void> {
    this.#handle.close();
    this.#handle = await opened(this.#path);
    this.writer = createChainWriter(this.#handle, options);
    this.reader = createChainReader(this.#handle);
  }

  [Symbol.dispose](): void {
    this.#handle.close();
  }
}

function opened(path: string): Promise<DatabaseHandle> {
  return openDatabase({ path, chainId: "SN_TEST", mode: "writer", durability: "normal" });
}

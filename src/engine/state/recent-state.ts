import type { ExecutableClass, StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ChainReader } from "./chain-reader.ts";
import { ClassCache } from "./class-cache.ts";
import { RecentValues } from "./recent-values.ts";
import type { EnteredCall, StateReader } from "./reader.ts";

/**
 * Cached state after the newest accepted block: accounts that send in block after block are looked up once.
 * An accepted block updates the cached values, so nothing has to be read again.
 *
 * The cache is bounded, see {@link RecentValues} and {@link ClassCache}.
 */
export class RecentState {
  readonly #chain: Pick<ChainReader, "stateAt">;
  readonly #values: RecentValues = new RecentValues();
  #classes: ClassCache = new ClassCache();
  #newest: NewestState;

  /** @param blockNumber - the newest accepted block; -1 before block 0 */
  constructor(chain: Pick<ChainReader, "stateAt">, blockNumber: number) {
    this.#chain = chain;
    this.#newest = this.#at(blockNumber);
  }

  /**
   * State after the newest accepted block. The returned reader stays at this block when later blocks are
   * accepted, and then reads from the chain.
   */
  newest(): StateReader {
    return this.#newest;
  }

  /** Whether the newest block's state has been read, so that cached values may be needed again. */
  get isUsed(): boolean {
    return this.#values.isUsed;
  }

  /**
   * Records that block `blockNumber` was accepted.
   *
   * @param diffs - all changes since the previous newest block, in order; `undefined` if unknown
   */
  advance(blockNumber: number, diffs: readonly StateDiff[] | undefined): void {
    if (diffs === undefined) this.#values.clear();
    else for (const diff of diffs) this.#values.apply(diff);
    this.#newest.isNewest = false;
    this.#newest = this.#at(blockNumber);
  }

  /** Clears the cache after the chain was reverted to block `blockNumber`. */
  reset(blockNumber: number): void {
    this.#classes = new ClassCache();
    this.advance(blockNumber, undefined);
  }

  #at(blockNumber: number): NewestState {
    const read = (): StateReader => this.#chain.stateAt(blockNumber);
    return new NewestState(read, this.#values, this.#classes);
  }
}

/** State of one block that uses the cached values while the block is the newest. */
class NewestState implements StateReader {
  readonly #read: () => StateReader;
  readonly #values: RecentValues;
  readonly #classes: ClassCache;
  #known: StateReader | undefined;
  isNewest = true;

  /** @param read - opens the underlying state, for values that are not cached */
  constructor(read: () => StateReader, values: RecentValues, classes: ClassCache) {
    this.#read = read;
    this.#values = values;
    this.#classes = classes;
  }

  get #source(): StateReader {
    return (this.#known ??= this.#read());
  }

  entering(call: EnteredCall): void {
    this.#source.entering?.(call);
  }

  storageAt(contractAddress: Felt, key: Felt): Felt {
    if (!this.isNewest) return this.#source.storageAt(contractAddress, key);
    const known = this.#values.storageAt(contractAddress, key);
    if (known !== undefined) return known;
    const value = this.#source.storageAt(contractAddress, key);
    this.#values.keepStorage(contractAddress, key, value);
    return value;
  }

  nonceAt(contractAddress: Felt): Felt {
    if (!this.isNewest) return this.#source.nonceAt(contractAddress);
    const contract = this.#values.contract(contractAddress);
    return (contract.nonce ??= this.#source.nonceAt(contractAddress));
  }

  classHashAt(contractAddress: Felt): Felt {
    if (!this.isNewest) return this.#source.classHashAt(contractAddress);
    const contract = this.#values.contract(contractAddress);
    return (contract.classHash ??= this.#source.classHashAt(contractAddress));
  }

  compiledClassHashOf(classHash: Felt): Felt {
    return this.#source.compiledClassHashOf(classHash);
  }

  /** Classes can be cached across blocks: a declared class stays declared until the chain is reverted. */
  executableClass(classHash: Felt): ExecutableClass | undefined {
    if (!this.isNewest) return this.#source.executableClass(classHash);
    const known = this.#classes.get(classHash);
    if (known !== undefined) return known;
    const found = this.#source.executableClass(classHash);
    if (found !== undefined) this.#classes.keep(classHash, found);
    return found;
  }
}

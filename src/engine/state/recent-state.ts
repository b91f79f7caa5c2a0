import type { ExecutableClass, StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ChainReader } from "./chain-reader.ts";
import { ClassCache } from "./class-cache.ts";
import { RecentValues } from "./recent-values.ts";
import type { StateReader } from "./reader.ts";

/**
 * The state after the newest accepted block, which remembers what was read from it: accounts that send
 * block after block are looked up once. A block that is accepted changes what is remembered, so that
 * nothing has to be read again.
 *
 * What is remembered is bounded: {@link RecentValues}, and classes as {@link ClassCache} says.
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
   * The state after the newest accepted block. It stays that of this block when others are accepted,
   * and is read from the chain then.
   */
  newest(): StateReader {
    return this.#newest;
  }

  /** Whether anything was read of the newest block's state: what is remembered may be wanted again. */
  get isUsed(): boolean {
    return this.#values.isUsed;
  }

  /**
   * Block `blockNumber` is accepted.
   *
   * @param diffs - all that was changed since the block that was the newest, in order; `undefined` when
   *   it is not known
   */
  advance(blockNumber: number, diffs: readonly StateDiff[] | undefined): void {
    if (diffs === undefined) this.#values.clear();
    else for (const diff of diffs) this.#values.apply(diff);
    this.#newest.isNewest = false;
    this.#newest = this.#at(blockNumber);
  }

  /** The chain was reverted to block `blockNumber`: nothing is remembered. */
  reset(blockNumber: number): void {
    this.#classes = new ClassCache();
    this.advance(blockNumber, undefined);
  }

  #at(blockNumber: number): NewestState {
    const read = (): StateReader => this.#chain.stateAt(blockNumber);
    return new NewestState(read, this.#values, this.#classes);
  }
}

/** A state that may use what is remembered as long as it is the newest. */
class NewestState implements StateReader {
  readonly #read: () => StateReader;
  readonly #values: RecentValues;
  readonly #classes: ClassCache;
  #known: StateReader | undefined;
  isNewest = true;

  /** @param read - where the state is, for what is not remembered */
  constructor(read: () => StateReader, values: RecentValues, classes: ClassCache) {
    this.#read = read;
    this.#values = values;
    this.#classes = classes;
  }

  get #source(): StateReader {
    return (this.#known ??= this.#read());
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

  /** A class that was declared stays so until the chain is reverted. */
  executableClass(classHash: Felt): ExecutableClass | undefined {
    if (!this.isNewest) return this.#source.executableClass(classHash);
    const known = this.#classes.get(classHash);
    if (known !== undefined) return known;
    const found = this.#source.executableClass(classHash);
    if (found !== undefined) this.#classes.keep(classHash, found);
    return found;
  }
}

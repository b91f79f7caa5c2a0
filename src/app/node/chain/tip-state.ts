import type { ExecutableClass } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ClassCache, StateReader } from "#engine/state/index.ts";

/** Most values that are kept, some 150 bytes each. */
export const MAX_TIP_VALUES = 16_384;

/**
 * The state after the newest block, which most reads ask for, with what was read of it before: looking a
 * value up in the database takes longer than the rest of a request. To be told when the block is not the
 * newest one any more.
 */
export class TipState implements StateReader {
  readonly #state: StateReader;
  readonly #maxValues: number;
  readonly #classes: ClassCache;
  readonly #storage = new Map<Felt, Map<Felt, Felt>>();
  readonly #nonces = new Map<Felt, Felt>();
  readonly #classHashes = new Map<Felt, Felt>();
  #values = 0;
  #isLeft = false;

  /** @param classes - those of the block and its ancestors that were read; forgotten when blocks are reverted */
  constructor(state: StateReader, maxValues: number, classes: ClassCache) {
    this.#state = state;
    this.#maxValues = maxValues;
    this.#classes = classes;
  }

  /** The block is not the newest one any more, or may be reverted: nothing is kept from now on. */
  leave(): void {
    this.#isLeft = true;
    this.#forget();
  }

  storageAt(contractAddress: Felt, key: Felt): Felt {
    const known = this.#storage.get(contractAddress)?.get(key);
    if (known !== undefined) return known;
    const value = this.#state.storageAt(contractAddress, key);
    if (!this.#hasRoom()) return value;
    let variables = this.#storage.get(contractAddress);
    if (variables === undefined) this.#storage.set(contractAddress, (variables = new Map()));
    variables.set(key, value);
    return value;
  }

  nonceAt(contractAddress: Felt): Felt {
    const known = this.#nonces.get(contractAddress);
    if (known !== undefined) return known;
    const nonce = this.#state.nonceAt(contractAddress);
    if (this.#hasRoom()) this.#nonces.set(contractAddress, nonce);
    return nonce;
  }

  classHashAt(contractAddress: Felt): Felt {
    const known = this.#classHashes.get(contractAddress);
    if (known !== undefined) return known;
    const classHash = this.#state.classHashAt(contractAddress);
    if (this.#hasRoom()) this.#classHashes.set(contractAddress, classHash);
    return classHash;
  }

  compiledClassHashOf(classHash: Felt): Felt {
    return this.#state.compiledClassHashOf(classHash);
  }

  executableClass(classHash: Felt): ExecutableClass | undefined {
    const known = this.#isLeft ? undefined : this.#classes.get(classHash);
    if (known !== undefined) return known;
    const found = this.#state.executableClass(classHash);
    if (found !== undefined && !this.#isLeft) this.#classes.keep(classHash, found);
    return found;
  }

  /** Makes room for one value more. @returns whether it may be kept */
  #hasRoom(): boolean {
    if (this.#isLeft) return false;
    if (this.#values >= this.#maxValues) this.#forget();
    this.#values++;
    return true;
  }

  #forget(): void {
    this.#storage.clear();
    this.#nonces.clear();
    this.#classHashes.clear();
    this.#values = 0;
  }
}

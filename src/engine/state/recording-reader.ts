import type { ExecutableClass } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { EnteredCall, StateReader } from "./reader.ts";

/** All values that were read from a state, by location. */
export interface ReadSet {
  readonly storage: ReadonlyMap<Felt, ReadonlyMap<Felt, Felt>>;
  readonly nonces: ReadonlyMap<Felt, Felt>;
  readonly classHashes: ReadonlyMap<Felt, Felt>;
  readonly compiledClassHashes: ReadonlyMap<Felt, Felt>;
  /** Requested class hashes; true if the class was declared. */
  readonly classes: ReadonlyMap<Felt, boolean>;
}

/** Reader that records the values it returns, so that a result can be validated against a later state. */
export class RecordingReader implements StateReader {
  readonly #base: StateReader;
  readonly #storage = new Map<Felt, Map<Felt, Felt>>();
  readonly #nonces = new Map<Felt, Felt>();
  readonly #classHashes = new Map<Felt, Felt>();
  readonly #compiledClassHashes = new Map<Felt, Felt>();
  readonly #classes = new Map<Felt, boolean>();

  constructor(base: StateReader) {
    this.#base = base;
  }

  entering(call: EnteredCall): void {
    this.#base.entering?.(call);
  }

  storageAt(contractAddress: Felt, key: Felt): Felt {
    const value = this.#base.storageAt(contractAddress, key);
    let cells = this.#storage.get(contractAddress);
    if (cells === undefined) this.#storage.set(contractAddress, (cells = new Map()));
    cells.set(key, value);
    return value;
  }

  nonceAt(contractAddress: Felt): Felt {
    const value = this.#base.nonceAt(contractAddress);
    this.#nonces.set(contractAddress, value);
    return value;
  }

  classHashAt(contractAddress: Felt): Felt {
    const value = this.#base.classHashAt(contractAddress);
    this.#classHashes.set(contractAddress, value);
    return value;
  }

  compiledClassHashOf(classHash: Felt): Felt {
    const value = this.#base.compiledClassHashOf(classHash);
    this.#compiledClassHashes.set(classHash, value);
    return value;
  }

  executableClass(classHash: Felt): ExecutableClass | undefined {
    const value = this.#base.executableClass(classHash);
    this.#classes.set(classHash, value !== undefined);
    return value;
  }

  /** All reads so far; a live view that grows with further reads. */
  readSet(): ReadSet {
    return {
      storage: this.#storage,
      nonces: this.#nonces,
      classHashes: this.#classHashes,
      compiledClassHashes: this.#compiledClassHashes,
      classes: this.#classes,
    };
  }
}

/** Whether `state` still holds every value of a read set. */
export function readSetMatches(reads: ReadSet, state: StateReader): boolean {
  for (const [address, cells] of reads.storage) {
    for (const [key, value] of cells) if (state.storageAt(address, key) !== value) return false;
  }
  for (const [address, value] of reads.nonces) if (state.nonceAt(address) !== value) return false;
  for (const [address, value] of reads.classHashes) {
    if (state.classHashAt(address) !== value) return false;
  }
  for (const [hash, value] of reads.compiledClassHashes) {
    if (state.compiledClassHashOf(hash) !== value) return false;
  }
  for (const [hash, declared] of reads.classes) {
    if ((state.executableClass(hash) !== undefined) !== declared) return false;
  }
  return true;
}

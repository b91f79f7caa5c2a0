import { OriginError } from "#base/errors/index.ts";
import type { BlockExecutor } from "#engine/execution/index.ts";
import type { StateReader } from "#engine/state/index.ts";

/** Maximum attempts per piece of work: each one gets at least one value more. */
const MAX_ATTEMPTS = 100_000;

/** State whose reads fail the first time that they ask for a value, as if its origin were lost. */
export class UnreliableState implements StateReader {
  readonly #state: StateReader;
  readonly #known = new Set<string>();
  /** Number of reads that failed. */
  failures = 0;

  constructor(state: StateReader) {
    this.#state = state;
  }

  storageAt: StateReader["storageAt"] = (...place) => {
    this.#look("storage", ...place);
    return this.#state.storageAt(...place);
  };

  nonceAt: StateReader["nonceAt"] = (address) => {
    this.#look("nonce", address);
    return this.#state.nonceAt(address);
  };

  classHashAt: StateReader["classHashAt"] = (address) => {
    this.#look("class hash", address);
    return this.#state.classHashAt(address);
  };

  compiledClassHashOf: StateReader["compiledClassHashOf"] = (classHash) => {
    this.#look("compiled class hash", classHash);
    return this.#state.compiledClassHashOf(classHash);
  };

  executableClass: StateReader["executableClass"] = (classHash) => {
    this.#look("class", classHash);
    return this.#state.executableClass(classHash);
  };

  #look(...place: readonly (string | bigint)[]): void {
    const text = place.join(" ");
    if (this.#known.has(text)) return;
    this.#known.add(text);
    this.failures++;
    throw new OriginError("ORIGIN_UNAVAILABLE", text, true);
  }
}

/**
 * Repeats work until none of its reads fails. Each failure must arrive here as the error that the reader
 * threw, and must leave the block as it was.
 */
export function untilReliable<T>(work: () => T, executor: BlockExecutor): T {
  const start = executor.state().checkpoint();
  for (let attempts = 1; ; attempts++) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof OriginError) || attempts === MAX_ATTEMPTS) throw error;
      if (executor.state().checkpoint() !== start) {
        throw new TypeError(`${error.message}: the block keeps changes`, { cause: error });
      }
    }
  }
}

import type { ExecutableClass } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { EnteredCall, StateReader } from "./reader.ts";
import type { WrittenState } from "./written-state.ts";

/** State of a forked chain: what its own blocks wrote, above the state of the fork block. */
export class ForkedState implements StateReader {
  readonly #written: WrittenState;
  readonly #origin: StateReader;

  /** @param origin - state after the fork block */
  constructor(written: WrittenState, origin: StateReader) {
    this.#written = written;
    this.#origin = origin;
  }

  entering(call: EnteredCall): void {
    this.#origin.entering?.(call);
  }

  storageAt(contractAddress: Felt, key: Felt): Felt {
    return (
      this.#written.storageAt(contractAddress, key) ?? this.#origin.storageAt(contractAddress, key)
    );
  }

  nonceAt(contractAddress: Felt): Felt {
    return this.#written.nonceAt(contractAddress) ?? this.#origin.nonceAt(contractAddress);
  }

  classHashAt(contractAddress: Felt): Felt {
    return this.#written.classHashAt(contractAddress) ?? this.#origin.classHashAt(contractAddress);
  }

  compiledClassHashOf(classHash: Felt): Felt {
    return (
      this.#written.compiledClassHashOf(classHash) ?? this.#origin.compiledClassHashOf(classHash)
    );
  }

  executableClass(classHash: Felt): ExecutableClass | undefined {
    return this.#written.executableClass(classHash) ?? this.#origin.executableClass(classHash);
  }
}

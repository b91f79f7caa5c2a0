import {
  type EncodedClass,
  type ExecutableClass,
  executableClassOf,
  type StateDiff,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { EnteredCall, StateReader } from "./reader.ts";

const NO_CLASSES: ReadonlyMap<Felt, EncodedClass> = new Map();

/**
 * State after a diff: values of the diff take precedence over those of `base`. Immutable while both are.
 * Pending blocks, and sealed blocks that are not committed yet, are read through it.
 */
export class OverlayState implements StateReader {
  readonly #base: StateReader;
  readonly #diff: StateDiff;
  readonly #classes: ReadonlyMap<Felt, EncodedClass>;

  /** @param classes - classes declared by the diff, by class hash */
  constructor(
    base: StateReader,
    diff: StateDiff,
    classes: ReadonlyMap<Felt, EncodedClass> = NO_CLASSES,
  ) {
    this.#base = base;
    this.#diff = diff;
    this.#classes = classes;
  }

  entering(call: EnteredCall): void {
    this.#base.entering?.(call);
  }

  storageAt(contractAddress: Felt, key: Felt): Felt {
    const value = this.#diff.storageDiffs.get(contractAddress)?.get(key);
    return value ?? this.#base.storageAt(contractAddress, key);
  }

  nonceAt(contractAddress: Felt): Felt {
    return this.#diff.nonces.get(contractAddress) ?? this.#base.nonceAt(contractAddress);
  }

  classHashAt(contractAddress: Felt): Felt {
    return (
      this.#diff.replacedClasses.get(contractAddress) ??
      this.#diff.deployedContracts.get(contractAddress) ??
      this.#base.classHashAt(contractAddress)
    );
  }

  compiledClassHashOf(classHash: Felt): Felt {
    return (
      this.#diff.migratedCompiledClasses.get(classHash) ??
      this.#diff.declaredClasses.get(classHash) ??
      this.#base.compiledClassHashOf(classHash)
    );
  }

  executableClass(classHash: Felt): ExecutableClass | undefined {
    const declared = this.#classes.get(classHash);
    return declared === undefined
      ? this.#base.executableClass(classHash)
      : executableClassOf(declared);
  }
}

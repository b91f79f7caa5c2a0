import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { ExecutableClass } from "#protocol/chain/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { differ, type DifferenceFound } from "./difference.ts";
import type { Places } from "./places.ts";
import type { ProvenContract, ProvenState } from "./proven-state.ts";

/** A class as of the state before the block, with its entry in the classes trie. */
export interface WitnessClass {
  /** `undefined` for a class that was not declared. */
  readonly executable: ExecutableClass | undefined;
  /** 0 for Cairo 0 and undeclared classes. */
  readonly compiledClassHash: Felt;
}

/** Dependencies of {@link WitnessReader}. */
export interface WitnessDeps {
  readonly proven: ProvenState;
  readonly places: Places;
  readonly classes: ReadonlyMap<Felt, WitnessClass>;
  /** The state is empty: every value is 0 and needs no proof. */
  readonly isEmpty: boolean;
}

/** Reads the proven state before a block. Reading an unproven value is a difference. */
export class WitnessReader implements StateReader {
  readonly #deps: WitnessDeps;
  #failure: DifferenceFound | undefined;

  constructor(deps: WitnessDeps) {
    this.#deps = deps;
  }

  /**
   * Fails if any unproven value was read, even if the reader swallowed that error.
   *
   * @throws {DifferenceFound} in that case
   */
  requireAllProven(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  storageAt(contractAddress: Felt, key: Felt): Felt {
    const { places, isEmpty } = this.#deps;
    if (isEmpty) return 0n;
    const contract = this.#contract(contractAddress, `storage ${hexFromFelt(key)} of`);
    if (places.contracts.get(contractAddress)?.has(key) === true) return contract.storage.get(key);
    return this.#unproven(`storage ${hexFromFelt(key)} of ${hexFromFelt(contractAddress)}`);
  }

  nonceAt(contractAddress: Felt): Felt {
    if (this.#deps.isEmpty) return 0n;
    return this.#contract(contractAddress, "nonce of").nonce;
  }

  classHashAt(contractAddress: Felt): Felt {
    if (this.#deps.isEmpty) return 0n;
    return this.#contract(contractAddress, "class hash of").classHash;
  }

  compiledClassHashOf(classHash: Felt): Felt {
    if (this.#deps.isEmpty) return 0n;
    return this.#class(classHash, "compiled class hash of").compiledClassHash;
  }

  executableClass(classHash: Felt): ExecutableClass | undefined {
    if (this.#deps.isEmpty) return undefined;
    return this.#class(classHash, "code of").executable;
  }

  #contract(address: Felt, what: string): ProvenContract {
    const contract = this.#deps.proven.contracts.get(address);
    return contract ?? this.#unproven(`${what} ${hexFromFelt(address)}`);
  }

  #class(classHash: Felt, what: string): WitnessClass {
    const known = this.#deps.classes.get(classHash);
    return known ?? this.#unproven(`${what} class ${hexFromFelt(classHash)}`);
  }

  #unproven(what: string): never {
    try {
      differ("initial_reads", `the block reads the ${what}`, "its trace does not report it");
    } catch (error) {
      this.#failure ??= error as DifferenceFound;
      throw error;
    }
  }
}

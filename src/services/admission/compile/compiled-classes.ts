import type { Felt } from "#base/primitives/index.ts";
import type { CompiledClass } from "./compiler-port.ts";

/** Characters of CASM that are kept: several of the largest classes. */
const MAX_CHARACTERS = 32 << 20;

/** Compiled classes in memory, bounded by their text; the one not asked for longest goes first. */
export class RecentlyCompiled {
  readonly #maxCharacters: number;
  readonly #byHash = new Map<Felt, CompiledClass>();
  #characters = 0;

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#maxCharacters = maxCharacters;
  }

  get(classHash: Felt): CompiledClass | undefined {
    const found = this.#take(classHash);
    if (found !== undefined) this.#append(classHash, found);
    return found;
  }

  put(classHash: Felt, compiled: CompiledClass): void {
    this.#take(classHash);
    this.#append(classHash, compiled);
    while (this.#characters > this.#maxCharacters) {
      const oldest = this.#byHash.keys().next().value;
      if (oldest === undefined) return;
      this.#take(oldest);
    }
  }

  #append(classHash: Felt, compiled: CompiledClass): void {
    this.#byHash.set(classHash, compiled);
    this.#characters += compiled.casmJson.length;
  }

  #take(classHash: Felt): CompiledClass | undefined {
    const found = this.#byHash.get(classHash);
    if (found === undefined) return undefined;
    this.#byHash.delete(classHash);
    this.#characters -= found.casmJson.length;
    return found;
  }
}

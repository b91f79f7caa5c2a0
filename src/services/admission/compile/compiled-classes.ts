import { type Felt, RecentMap } from "#base/primitives/index.ts";
import type { CompiledClass } from "./compiler-port.ts";

/** Maximum cached CASM characters: several of the largest classes. */
const MAX_CHARACTERS = 32 << 20;

/** LRU cache of compiled classes, bounded by total text length. */
export class RecentlyCompiled {
  readonly #byHash: RecentMap<Felt, CompiledClass>;

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#byHash = new RecentMap(maxCharacters, ({ casmJson }) => casmJson.length);
  }

  get(classHash: Felt): CompiledClass | undefined {
    return this.#byHash.touch(classHash);
  }

  put(classHash: Felt, compiled: CompiledClass): void {
    this.#byHash.set(classHash, compiled);
  }
}

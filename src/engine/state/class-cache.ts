import type { ExecutableClass } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Maximum bytecode kept, in felts; readers have their own caches. */
const MAX_CLASS_FELTS = 2 ** 19;

/** Classes that a state has read, bounded by {@link MAX_CLASS_FELTS}. */
export class ClassCache {
  readonly #classes = new Map<Felt, ExecutableClass>();
  #felts = 0;

  get(classHash: Felt): ExecutableClass | undefined {
    return this.#classes.get(classHash);
  }

  /** Caches a class; clears the cache first when the limit would be exceeded. */
  keep(classHash: Felt, executable: ExecutableClass): void {
    const { length } = (executable.casm ?? executable.program).bytecode;
    this.#felts += length;
    if (this.#felts > MAX_CLASS_FELTS) {
      this.#classes.clear();
      this.#felts = length;
    }
    this.#classes.set(classHash, executable);
  }
}

import type { ExecutableClass } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Bytecode of classes that are kept at most, in felts: readers have caches of their own. */
const MAX_CLASS_FELTS = 2 ** 19;

/** Classes that a state has read. */
export class ClassCache {
  readonly #classes = new Map<Felt, ExecutableClass>();
  #felts = 0;

  /** The class of a hash, if it is kept. */
  get(classHash: Felt): ExecutableClass | undefined {
    return this.#classes.get(classHash);
  }

  /** Keeps a class; when they are too many, the others go. */
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

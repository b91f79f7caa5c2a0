import { OriginError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { ClassCompiler } from "#io/origin/index.ts";
import { encodeContractClass, type SierraClass } from "#protocol/chain/index.ts";
import type { ForkCompilation, FromFork } from "../threads/fork-messages.ts";

/**
 * Asks the main thread, which owns the compiler, to compile classes of the origin. The code of classes that the
 * program contains is known.
 */
export class MainCompiler implements ClassCompiler {
  readonly #shipped: (classHash: Felt) => string | undefined;
  readonly #send: (message: FromFork) => void;
  readonly #waiting = new Map<number, (outcome: ForkCompilation) => void>();
  #id = 0;

  /** @param shipped - returns the code of a class that the program contains, as JSON text */
  constructor(shipped: (classHash: Felt) => string | undefined, send: (message: FromFork) => void) {
    this.#shipped = shipped;
    this.#send = send;
  }

  /** @throws {OriginError} ORIGIN_UNAVAILABLE when the compiler is busy */
  async compile(classHash: Felt, contractClass: SierraClass): Promise<string | undefined> {
    const shipped = this.#shipped(classHash);
    if (shipped !== undefined) return shipped;
    const id = ++this.#id;
    const outcome = await new Promise<ForkCompilation>((resolve) => {
      this.#waiting.set(id, resolve);
      const bytes = encodeContractClass(contractClass);
      this.#send({ kind: "compile", id, classHash, contractClass: bytes });
    });
    if (outcome.kind === "compiled") return outcome.casmJson;
    if (outcome.kind === "refused") return undefined;
    const message = `class ${hexFromFelt(classHash)} of the fork's origin was not compiled: ${outcome.reason}`;
    throw new OriginError("ORIGIN_UNAVAILABLE", message, true);
  }

  /** Handles the answer of the main thread. */
  settle(id: number, outcome: ForkCompilation): void {
    this.#waiting.get(id)?.(outcome);
    this.#waiting.delete(id);
  }
}

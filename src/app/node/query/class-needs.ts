import { encodeContractClass } from "#protocol/chain/index.ts";
import type { ClassRequest, KnownOutcome } from "#api/rpc/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { KnownClass, NeededClass } from "../threads/query-messages.ts";

/** Compiled classes available to the current query, and the missing ones. */
export class ClassNeeds {
  #known = new Map<Felt, KnownOutcome>();
  #needed: NeededClass[] = [];

  /** Resets the state for the next query. */
  begin(known: readonly KnownClass[] = []): void {
    this.#known = new Map(known.map(({ classHash, outcome }) => [classHash, outcome]));
    this.#needed = [];
  }

  /** Classes that are missing to answer the current query. */
  get needed(): readonly NeededClass[] {
    return this.#needed;
  }

  /** Returns the compilation result of a class; records the class as needed otherwise. */
  outcomeOf({ sender, classHash, contractClass }: ClassRequest): KnownOutcome | undefined {
    const known = this.#known.get(classHash);
    if (known === undefined && !this.#needed.some((other) => other.classHash === classHash)) {
      this.#needed.push({ sender, classHash, classBytes: encodeContractClass(contractClass) });
    }
    return known;
  }
}

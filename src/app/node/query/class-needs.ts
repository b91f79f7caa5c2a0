import { encodeContractClass } from "#protocol/chain/index.ts";
import type { ClassRequest, KnownOutcome } from "#api/rpc/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { KnownClass, NeededClass } from "../threads/query-messages.ts";

/** The compiled classes that the query at hand has, and those that it lacks. */
export class ClassNeeds {
  #known = new Map<Felt, KnownOutcome>();
  #needed: NeededClass[] = [];

  /** The next query begins. */
  begin(known: readonly KnownClass[] = []): void {
    this.#known = new Map(known.map(({ classHash, outcome }) => [classHash, outcome]));
    this.#needed = [];
  }

  /** What is lacking to answer the query at hand. */
  get needed(): readonly NeededClass[] {
    return this.#needed;
  }

  /** What became of a class; notes that it is needed when nothing is known of it. */
  outcomeOf({ sender, classHash, contractClass }: ClassRequest): KnownOutcome | undefined {
    const known = this.#known.get(classHash);
    if (known === undefined && !this.#needed.some((other) => other.classHash === classHash)) {
      this.#needed.push({ sender, classHash, classBytes: encodeContractClass(contractClass) });
    }
    return known;
  }
}

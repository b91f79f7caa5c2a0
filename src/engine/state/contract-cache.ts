import type { Felt } from "#base/primitives/index.ts";

/** What a journal entry changed. */
export const JournalField = {
  Storage: 0,
  Nonce: 1,
  ClassHash: 2,
  CompiledClassHash: 3,
  Declared: 4,
} as const;
/** What a journal entry changed. */
export type JournalField = (typeof JournalField)[keyof typeof JournalField];

/**
 * Old values in order of writing, one column per member: four plain arrays cost less than an object
 * per write. `keys` is 0 where a contract has only one such value.
 */
export interface Journal {
  readonly contracts: ContractCache[];
  readonly fields: JournalField[];
  readonly keys: Felt[];
  readonly olds: Felt[];
}

/** Current values of one contract as far as they were read or written. */
export class ContractCache {
  readonly address: Felt;
  nonce: Felt | undefined;
  classHash: Felt | undefined;
  #storage: Map<Felt, Felt> | undefined;

  constructor(address: Felt) {
    this.address = address;
  }

  /** Made when it is asked for: a transaction may look at the class of a great many contracts. */
  get storage(): Map<Felt, Felt> {
    return (this.#storage ??= new Map());
  }

  /** Number of storage variables held. */
  get cellCount(): number {
    return this.#storage?.size ?? 0;
  }
}

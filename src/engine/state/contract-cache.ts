import type { Felt } from "#base/primitives/index.ts";

/**
 * Numbers that a journal entry uses for the kind of the changed value: storage, nonce, and so on.
 */
export const JournalField = {
  Storage: 0,
  Nonce: 1,
  ClassHash: 2,
  CompiledClassHash: 3,
  Declared: 4,
} as const;
/** One of the constants of the same name. */
export type JournalField = (typeof JournalField)[keyof typeof JournalField];

/**
 * Old values in write order, one column per member: four plain arrays cost less than one object per write.
 * `keys` holds 0 for values that a contract has only one of.
 */
export interface Journal {
  readonly contracts: ContractCache[];
  readonly fields: JournalField[];
  readonly keys: Felt[];
  readonly olds: Felt[];
}

/** Current values of one contract, limited to those read or written. */
export class ContractCache {
  readonly address: Felt;
  nonce: Felt | undefined;
  classHash: Felt | undefined;
  #storage: Map<Felt, Felt> | undefined;

  constructor(address: Felt) {
    this.address = address;
  }

  /** Created lazily: a transaction may read the classes of many contracts without touching their storage. */
  get storage(): Map<Felt, Felt> {
    return (this.#storage ??= new Map());
  }

  get cellCount(): number {
    return this.#storage?.size ?? 0;
  }
}

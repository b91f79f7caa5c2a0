import type { StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/**
 * Maximum cached storage variables, at about 100 bytes each: 3.5 MB. Enough for senders that return within
 * seconds; a larger cache would slow down every garbage collection.
 */
const MAX_WEIGHT = 2 ** 15;

/** Weight of a contract, in storage variables, not counting its own variables. */
const CONTRACT_WEIGHT = 4;

/** Cached values of one contract; `undefined` if not cached. */
interface RecentContract {
  nonce: Felt | undefined;
  classHash: Felt | undefined;
  readonly cells: Map<Felt, Felt>;
}

/**
 * Recently used values of the newest state, bounded by weight. Two generations: used values move to the young
 * one, and once that holds half the weight, the old one is dropped.
 */
export class RecentValues {
  readonly #maxWeight: number;
  #young = new Map<Felt, RecentContract>();
  #old: ReadonlyMap<Felt, RecentContract> = new Map();
  #youngWeight = 0;
  #isUsed = false;

  /** @param maxWeight - maximum total; a storage variable weighs 1, a contract {@link CONTRACT_WEIGHT} */
  constructor(maxWeight: number = MAX_WEIGHT) {
    this.#maxWeight = maxWeight / 2;
  }

  /** Whether any value was requested since {@link apply} or {@link clear}. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** Cache entry of a contract; callers fill in nonce and class hash. */
  contract(address: Felt): Pick<RecentContract, "nonce" | "classHash"> {
    this.#isUsed = true;
    return this.#contract(address);
  }

  storageAt(address: Felt, key: Felt): Felt | undefined {
    this.#isUsed = true;
    const young = this.#young.get(address)?.cells.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(address)?.cells.get(key);
    if (old !== undefined) this.keepStorage(address, key, old);
    return old;
  }

  keepStorage(address: Felt, key: Felt, value: Felt): void {
    this.#contract(address).cells.set(key, value);
    this.#youngWeight++;
  }

  /** Updates cached values with the changes of a new block. */
  apply({ storageDiffs, nonces, deployedContracts, replacedClasses }: StateDiff): void {
    this.#isUsed = false;
    for (const contracts of [this.#young, this.#old]) {
      for (const [address, changes] of storageDiffs) {
        const cells = contracts.get(address)?.cells;
        if (cells === undefined || cells.size === 0) continue;
        for (const [key, value] of changes) if (cells.has(key)) cells.set(key, value);
      }
      for (const [address, nonce] of nonces) {
        const contract = contracts.get(address);
        if (contract !== undefined) contract.nonce = nonce;
      }
      for (const classes of [deployedContracts, replacedClasses]) {
        for (const [address, classHash] of classes) {
          const contract = contracts.get(address);
          if (contract !== undefined) contract.classHash = classHash;
        }
      }
    }
  }

  clear(): void {
    this.#isUsed = false;
    this.#young = new Map();
    this.#old = new Map();
    this.#youngWeight = 0;
  }

  #contract(address: Felt): RecentContract {
    const young = this.#young.get(address);
    // The weight is checked only when a contract is added or a young contract is used.
    if (young !== undefined && this.#youngWeight < this.#maxWeight) return young;
    if (this.#youngWeight >= this.#maxWeight) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngWeight = 0;
    }
    const { nonce, classHash } = this.#old.get(address) ?? UNKNOWN;
    const contract: RecentContract = { nonce, classHash, cells: new Map() };
    this.#young.set(address, contract);
    this.#youngWeight += CONTRACT_WEIGHT;
    return contract;
  }
}

const UNKNOWN = { nonce: undefined, classHash: undefined };

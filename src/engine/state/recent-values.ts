import type { StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/**
 * Storage variables that are remembered at most, about 100 bytes each: 3.5 MB. Those of senders that come
 * back within seconds; more would be work for every collection.
 */
const MAX_WEIGHT = 2 ** 15;

/** What a contract weighs beside of its storage variables. */
const CONTRACT_WEIGHT = 4;

/** What is remembered of one contract; `undefined` is not known. */
interface RecentContract {
  nonce: Felt | undefined;
  classHash: Felt | undefined;
  readonly cells: Map<Felt, Felt>;
}

/**
 * Values of the newest state that were used lately, up to a weight. Two generations: what is used moves to
 * the young one, and when that has half of the weight, the old one goes.
 */
export class RecentValues {
  readonly #maxWeight: number;
  #young = new Map<Felt, RecentContract>();
  #old: ReadonlyMap<Felt, RecentContract> = new Map();
  #youngWeight = 0;
  #isUsed = false;

  /** @param maxWeight - a storage variable weighs 1, a contract {@link CONTRACT_WEIGHT} */
  constructor(maxWeight: number = MAX_WEIGHT) {
    this.#maxWeight = maxWeight / 2;
  }

  /** Whether anybody has asked for anything since {@link apply} or {@link clear}. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** What is remembered of a contract, for the caller to fill in nonce and class hash. */
  contract(address: Felt): Pick<RecentContract, "nonce" | "classHash"> {
    this.#isUsed = true;
    return this.#contract(address);
  }

  /** A storage variable, if it is remembered. */
  storageAt(address: Felt, key: Felt): Felt | undefined {
    this.#isUsed = true;
    const young = this.#young.get(address)?.cells.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(address)?.cells.get(key);
    if (old !== undefined) this.keepStorage(address, key, old);
    return old;
  }

  /** Remembers a storage variable. */
  keepStorage(address: Felt, key: Felt, value: Felt): void {
    this.#contract(address).cells.set(key, value);
    this.#youngWeight++;
  }

  /** The newest state has changed: what is remembered changes with it. */
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

  /** Forgets everything. */
  clear(): void {
    this.#isUsed = false;
    this.#young = new Map();
    this.#old = new Map();
    this.#youngWeight = 0;
  }

  #contract(address: Felt): RecentContract {
    const young = this.#young.get(address);
    // The weight is looked at when a contract is added or a storage variable of a young one.
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

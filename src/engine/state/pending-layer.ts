import {
  type BlockInfo,
  type ContractClass,
  decodeContractClass,
  emptyStateDiff,
  type EncodedClass,
  type ExecutableClass,
  type HashedTransaction,
  type MutableStateDiff,
  type Receipt,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { applyStateDiff } from "./diff.ts";
import { OverlayState } from "./overlay-state.ts";
import type { LazyDelta, PendingBlock, PendingChanges } from "./pending-block.ts";
import type { EnteredCall, StateReader } from "./reader.ts";

/** Reader whose source can be replaced by an equivalent one. */
class MovableState implements StateReader {
  source: StateReader;

  constructor(source: StateReader) {
    this.source = source;
  }

  entering(call: EnteredCall): void {
    this.source.entering?.(call);
  }

  storageAt(contractAddress: Felt, key: Felt): Felt {
    return this.source.storageAt(contractAddress, key);
  }

  nonceAt(contractAddress: Felt): Felt {
    return this.source.nonceAt(contractAddress);
  }

  classHashAt(contractAddress: Felt): Felt {
    return this.source.classHashAt(contractAddress);
  }

  compiledClassHashOf(classHash: Felt): Felt {
    return this.source.compiledClassHashOf(classHash);
  }

  executableClass(classHash: Felt): ExecutableClass | undefined {
    return this.source.executableClass(classHash);
  }
}

/**
 * Block above the accepted chain as one thread holds it: its content so far, and the state after
 * it.
 */
export class Layer implements PendingBlock {
  readonly info: BlockInfo;
  readonly #transactions: HashedTransaction[] = [];
  readonly #receipts: Receipt[] = [];
  /** Deltas whose transactions and receipts are not decoded yet, in order. */
  #unread: Pick<LazyDelta, "contents">[] = [];
  readonly stateDiff: MutableStateDiff = emptyStateDiff();
  readonly changes: PendingChanges[] = [];
  readonly indexByHash = new Map<Felt, number>();
  readonly classes = new Map<Felt, EncodedClass>();
  /** Transactions that consumed messages, by hash of the sending L1 transaction. */
  readonly consumers = new Map<bigint, Felt[]>();
  /** Transactions that consumed messages, by message nonce. */
  readonly consumedNonces = new Map<bigint, Felt>();
  readonly below: MovableState;
  readonly state: StateReader;
  /** Layer directly below; `undefined` directly above the accepted chain. */
  lower: Layer | undefined;
  nextSequence = 0;
  /** Number of transactions, including those not decoded yet. */
  #count = 0;
  /** Set once no further delta follows. */
  isSealed = false;

  constructor(info: BlockInfo, below: StateReader, lower: Layer | undefined) {
    this.info = info;
    this.lower = lower;
    this.below = new MovableState(below);
    this.state = new OverlayState(this.below, this.stateDiff, this.classes);
  }

  get transactions(): readonly HashedTransaction[] {
    this.#readContents();
    return this.#transactions;
  }

  get receipts(): readonly Receipt[] {
    this.#readContents();
    return this.#receipts;
  }

  /** Decodes lazily: most threads need only the state of most blocks. */
  #readContents(): void {
    for (const delta of this.#unread) {
      const { transactions, receipts } = delta.contents();
      this.#transactions.push(...transactions);
      this.#receipts.push(...receipts);
    }
    this.#unread = [];
  }

  declaredClass(classHash: Felt): ContractClass | undefined {
    const own = this.classes.get(classHash);
    if (own !== undefined) return decodeContractClass(own.contractClass);
    return this.lower?.declaredClass(classHash);
  }

  find(transactionHash: Felt): { readonly index: number } | undefined {
    const index = this.indexByHash.get(transactionHash);
    return index === undefined ? undefined : { index };
  }

  messagesOfL1Transaction(l1TransactionHash: bigint): readonly Felt[] {
    return this.consumers.get(l1TransactionHash) ?? [];
  }

  consumedL1Message(nonce: bigint): Felt | undefined {
    return this.consumedNonces.get(nonce);
  }

  add(delta: LazyDelta): void {
    for (const hash of delta.hashes) this.indexByHash.set(hash, this.#count++);
    this.#unread.push(delta);
    applyStateDiff(this.stateDiff, delta.diff);
    this.changes.push({ end: this.#count, diff: delta.diff });
    for (const declared of delta.classes) this.classes.set(declared.classHash, declared);
    for (const { l1TransactionHash, transactionHash, nonce } of delta.l1Messages ?? []) {
      this.consumedNonces.set(nonce, transactionHash);
      if (l1TransactionHash === null) continue;
      const consumers = this.consumers.get(l1TransactionHash);
      if (consumers === undefined) this.consumers.set(l1TransactionHash, [transactionHash]);
      else consumers.push(transactionHash);
    }
    this.nextSequence = delta.sequence + 1;
    this.isSealed = delta.sealed;
  }
}

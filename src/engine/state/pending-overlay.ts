import {
  type BlockInfo,
  type BlockInputs,
  type ContractClass,
  decodeContractClass,
  emptyStateDiff,
  type EncodedClass,
  type EncodedTransaction,
  type ExecutableClass,
  type HashedTransaction,
  type MutableStateDiff,
  type Receipt,
  type StateDiff,
} from "#protocol/chain/index.ts";
import { InvariantError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ChainReader } from "./chain-reader.ts";
import { applyStateDiff } from "./diff.ts";
import { OverlayState } from "./overlay-state.ts";
import { RecentState } from "./recent-state.ts";
import type { StateReader } from "./reader.ts";

/**
 * What the executor tells every reader of pending state after a batch: the transactions that were
 * added to block `blockNumber` since the last delta, and what they changed.
 *
 * Deltas of a block are numbered from 0; the first one carries the block's `info` and its
 * pre-processing, and so does one that begins the block anew. `sealed` marks the last one: the block is complete, though not yet accepted.
 */
export interface PendingDelta {
  readonly blockNumber: number;
  readonly sequence: number;
  /**
   * Present in the delta with sequence 0, and in one that stands for the whole block, in place of all
   * deltas before: the block was built again.
   */
  readonly info: BlockInfo | null;
  readonly transactions: readonly EncodedTransaction[];
  /** One per transaction, in the same order. */
  readonly receipts: readonly Receipt[];
  readonly diff: StateDiff;
  /** Classes that `diff` declares. */
  readonly classes: readonly EncodedClass[];
  /** Where those of `transactions` came from that are messages from L1; left out: there is none. */
  readonly l1Messages?: BlockInputs["l1Messages"];
  readonly sealed: boolean;
}

/** What some transactions of a block changed together. */
export interface PendingChanges {
  /** Number of transactions of the block up to the last of them. */
  readonly end: number;
  readonly diff: StateDiff;
}

/** A block that is being built, or sealed and not accepted yet. */
export interface PendingBlock {
  readonly info: BlockInfo;
  readonly transactions: readonly HashedTransaction[];
  readonly receipts: readonly Receipt[];
  readonly stateDiff: StateDiff;
  /** The parts that {@link stateDiff} was put together from, in order: one for each delta. */
  readonly changes?: readonly PendingChanges[];
  /** State after all of `transactions`. */
  readonly state: StateReader;
  /** Position of a transaction in this block. */
  find(transactionHash: Felt): { readonly index: number } | undefined;
  /** A class that this block declares, or one below it that is not accepted yet. */
  declaredClass?(classHash: Felt): ContractClass | undefined;
  /** Hashes of this block's transactions that consumed messages of an L1 transaction, in order. */
  messagesOfL1Transaction?(l1TransactionHash: bigint): readonly Felt[];
  /** The hash of this block's transaction that consumed the message of a nonce. */
  consumedL1Message?(nonce: bigint): Felt | undefined;
}

/** A reader whose source can be exchanged for an equal one. */
class MovableState implements StateReader {
  source: StateReader;

  constructor(source: StateReader) {
    this.source = source;
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

/** One block above the accepted chain. */
class Layer implements PendingBlock {
  readonly info: BlockInfo;
  readonly transactions: HashedTransaction[] = [];
  readonly receipts: Receipt[] = [];
  readonly stateDiff: MutableStateDiff = emptyStateDiff();
  readonly changes: PendingChanges[] = [];
  readonly indexByHash = new Map<Felt, number>();
  readonly classes = new Map<Felt, EncodedClass>();
  /** Transactions that consumed messages, by the hash of the L1 transaction that sent them. */
  readonly consumers = new Map<bigint, Felt[]>();
  /** The same by the nonces of the messages. */
  readonly consumedNonces = new Map<bigint, Felt>();
  readonly below: MovableState;
  readonly state: StateReader;
  /** The layer that this one stands on; `undefined` on the accepted chain. */
  lower: Layer | undefined;
  nextSequence = 0;
  /** No further delta follows. */
  isSealed = false;

  constructor(info: BlockInfo, below: StateReader, lower: Layer | undefined) {
    this.info = info;
    this.lower = lower;
    this.below = new MovableState(below);
    this.state = new OverlayState(this.below, this.stateDiff, this.classes);
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

  add(delta: PendingDelta): void {
    for (const transaction of delta.transactions) {
      this.indexByHash.set(transaction.hash, this.transactions.length);
      this.transactions.push(transaction);
    }
    this.receipts.push(...delta.receipts);
    applyStateDiff(this.stateDiff, delta.diff);
    this.changes.push({ end: this.transactions.length, diff: delta.diff });
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

function isSealed(layer: Layer): boolean {
  return layer.isSealed;
}

/**
 * The blocks above the accepted chain as one thread knows them: sealed blocks that the committer
 * works on, and the block being built on top.
 *
 * Deltas arrive in order. A request that runs without waiting sees one fixed state; one that waits
 * must take {@link newest} again afterwards.
 */
export class PendingOverlay {
  readonly #chain: ChainReader;
  /** Ascending by block number without gaps; the first one follows the accepted chain. */
  #layers: Layer[] = [];
  #base: number;
  readonly #accepted: RecentState;

  /** @param chain - reader whose newest block is the accepted base at the start */
  constructor(chain: ChainReader) {
    this.#chain = chain;
    this.#base = chain.latestNumber() ?? -1;
    this.#accepted = new RecentState(chain, this.#base);
  }

  /** Number of the newest block that was announced as accepted; -1 before block 0. */
  get acceptedNumber(): number {
    return this.#base;
  }

  /**
   * Adds what the executor did.
   *
   * @throws {InvariantError} when a delta is missing
   */
  apply(delta: PendingDelta): void {
    const top = this.#layers.at(-1);
    if (delta.sequence === 0) {
      const expected = this.#base + this.#layers.length + 1;
      if (delta.info === null || delta.blockNumber !== expected) {
        throw new InvariantError(
          `pending delta of block ${delta.blockNumber} where block ${expected} must start`,
        );
      }
      const layer = new Layer(delta.info, this.state(), top);
      layer.add(delta);
      this.#layers.push(layer);
      return;
    }
    if (top?.info.number !== delta.blockNumber || top.nextSequence !== delta.sequence) {
      throw new InvariantError(
        `pending delta ${delta.sequence} of block ${delta.blockNumber} does not follow`,
      );
    }
    if (delta.info === null) {
      top.add(delta);
      return;
    }
    const layer = new Layer(delta.info, top.below.source, top.lower);
    layer.add(delta);
    this.#layers[this.#layers.length - 1] = layer;
  }

  /** Block `blockNumber` is accepted: its content is read from the database from now on. */
  accepted(blockNumber: number): void {
    if (blockNumber <= this.#base) return;
    const gone = this.#layers.slice(0, blockNumber - this.#base);
    const isKnown = gone.length === blockNumber - this.#base && gone.every(isSealed);
    const diffs = isKnown ? gone.map(({ stateDiff }) => stateDiff) : undefined;
    this.#accepted.advance(blockNumber, diffs);
    this.#base = blockNumber;
    this.#layers = this.#layers.slice(gone.length);
    // The lowest layer stood on the layer that is gone now; the database says the same. A whole block on
    // top of the database says so too, to whom still reads through it: a block may be open on it.
    for (const layer of [this.#layers[0], isKnown ? gone.at(-1) : undefined]) {
      if (layer === undefined) continue;
      layer.below.source = this.#accepted.newest();
      layer.lower = undefined;
    }
  }

  /** Begins anew at the chain's newest block: it was reverted, and what stood above it is gone. */
  reset(): void {
    this.#base = this.#chain.latestNumber() ?? -1;
    this.#layers = [];
    this.#accepted.reset(this.#base);
  }

  /** The topmost block above the accepted chain. */
  newest(): PendingBlock | undefined {
    return this.#layers.at(-1);
  }

  /** All blocks above the accepted chain, lowest first. */
  blocks(): readonly PendingBlock[] {
    return this.#layers;
  }

  /** State after everything that is known. */
  state(): StateReader {
    return this.#layers.at(-1)?.state ?? this.#accepted.newest();
  }
}

import type { BlockHeader, HashedTransaction, Receipt, StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { TrieReader } from "#protocol/trie/index.ts";
import type {
  BlockPortion,
  ChainReader,
  ConsumedL1Message,
  DeclaredClass,
  EventQuery,
  TransactionLocation,
} from "./chain-reader.ts";
import { ForkedState } from "./forked-state.ts";
import type { OriginReader } from "./origin-reader.ts";
import type { StateReader } from "./reader.ts";
import type { WrittenState } from "./written-state.ts";

/** Stored blocks of a forked chain, all above the fork block. */
export interface LocalChain extends ChainReader {
  /** Values that blocks up to `blockNumber` wrote. */
  writtenAt(blockNumber: number): WrittenState;
}

/**
 * A forked chain: blocks up to the fork block are the origin's, later ones are stored. Methods that reach the
 * origin wait for it, and throw as {@link OriginReader} does.
 */
export class ForkedChain implements ChainReader {
  readonly #local: LocalChain;
  readonly #origin: OriginReader;

  constructor(local: LocalChain, origin: OriginReader) {
    this.#local = local;
    this.#origin = origin;
  }

  snapshot<T>(read: () => T): T {
    return this.#local.snapshot(read);
  }

  latestNumber(): number {
    return this.#local.latestNumber() ?? this.#origin.forkBlock;
  }

  oldestBlock(): number {
    return 0;
  }

  /** Knows local blocks only: which of the origin's blocks L1 has accepted changes with time. */
  l1AcceptedNumber(): number | undefined {
    const local = this.#local.l1AcceptedNumber();
    return local !== undefined && this.#isLocal(local) ? local : undefined;
  }

  header(blockNumber: number): BlockHeader | undefined {
    if (this.#isLocal(blockNumber)) return this.#local.header(blockNumber);
    if (blockNumber < 0) return undefined;
    return this.#local.ancestorHeader(blockNumber) ?? this.#origin.block(blockNumber).header;
  }

  ancestorHeader(blockNumber: number): BlockHeader | undefined {
    return this.header(blockNumber);
  }

  numberByHash(blockHash: Felt): number | undefined {
    return this.#local.numberByHash(blockHash) ?? this.#origin.numberByHash(blockHash);
  }

  /** The origin's API does not have signatures. */
  signature(blockNumber: number): { readonly r: Felt; readonly s: Felt } | undefined {
    return this.#local.signature(blockNumber);
  }

  transactions(blockNumber: number): HashedTransaction[] {
    if (this.#isLocal(blockNumber)) return this.#local.transactions(blockNumber);
    return blockNumber < 0 ? [] : [...this.#origin.block(blockNumber).transactions];
  }

  transactionHashes(blockNumber: number): Felt[] {
    if (this.#isLocal(blockNumber)) return this.#local.transactionHashes(blockNumber);
    return this.transactions(blockNumber).map(({ hash }) => hash);
  }

  receipts(blockNumber: number): Receipt[] {
    if (this.#isLocal(blockNumber)) return this.#local.receipts(blockNumber);
    return blockNumber < 0 ? [] : [...this.#origin.block(blockNumber).receipts];
  }

  locate(transactionHash: Felt): TransactionLocation | undefined {
    return this.#local.locate(transactionHash) ?? this.#origin.locate(transactionHash);
  }

  transactionAt(location: TransactionLocation): HashedTransaction | undefined {
    const { blockNumber, index } = location;
    if (this.#isLocal(blockNumber)) return this.#local.transactionAt(location);
    return this.#origin.block(blockNumber).transactions[index];
  }

  receiptAt(location: TransactionLocation): Receipt | undefined {
    const { blockNumber, index } = location;
    if (this.#isLocal(blockNumber)) return this.#local.receiptAt(location);
    return this.#origin.block(blockNumber).receipts[index];
  }

  portionAt(location: TransactionLocation): BlockPortion | undefined {
    if (this.#isLocal(location.blockNumber)) return this.#local.portionAt(location);
    const { transactions, receipts } = this.#origin.block(location.blockNumber);
    return {
      firstIndex: 0,
      count: transactions.length,
      transactionAt: (index) => transactions[index],
      receiptAt: (index) => receipts[index],
    };
  }

  stateDiff(blockNumber: number): StateDiff | undefined {
    if (this.#isLocal(blockNumber)) return this.#local.stateDiff(blockNumber);
    return blockNumber < 0 ? undefined : this.#origin.stateDiff(blockNumber);
  }

  /** Skips no block of the origin, whose event index is out of reach. */
  nextEventBlock(query: EventQuery, from: number, to: number): number | undefined {
    if (from > to) return undefined;
    if (!this.#isLocal(from)) return from;
    return this.#local.nextEventBlock(query, from, to);
  }

  /** Knows local updates only. */
  lastStorageUpdate(contractAddress: Felt, key: Felt, blockNumber: number): number | undefined {
    if (!this.#isLocal(blockNumber)) return undefined;
    return this.#local.lastStorageUpdate(contractAddress, key, blockNumber);
  }

  messagesOfL1Transaction(l1TransactionHash: bigint): ConsumedL1Message[] {
    const before = this.#origin.messagesOfL1Transaction(l1TransactionHash);
    return [...before, ...this.#local.messagesOfL1Transaction(l1TransactionHash)];
  }

  /** Knows local messages only: the origin's API does not have nonces. */
  consumedL1Message(nonce: bigint): ConsumedL1Message | undefined {
    return this.#local.consumedL1Message(nonce);
  }

  declaredClass(classHash: Felt): DeclaredClass | undefined {
    return this.#local.declaredClass(classHash) ?? this.#origin.declaredClass(classHash);
  }

  stateAt(blockNumber: number): StateReader {
    const { forkBlock } = this.#origin;
    if (!this.#isLocal(blockNumber)) return this.#origin.stateAt(blockNumber);
    return new ForkedState(this.#local.writtenAt(blockNumber), this.#origin.stateAt(forkBlock));
  }

  /** The origin says which states it keeps. */
  oldestStateBlock(): number {
    return 0;
  }

  /** Tries contain local changes only. */
  trieAt(blockNumber: number): TrieReader {
    return this.#local.trieAt(blockNumber);
  }

  oldestTrieBlock(): number {
    return Math.max(this.#local.oldestTrieBlock(), this.#origin.forkBlock + 1);
  }

  #isLocal(blockNumber: number): boolean {
    return blockNumber > this.#origin.forkBlock;
  }
}

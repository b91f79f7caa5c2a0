import type { BlockHeader, HashedTransaction, Receipt, StateDiff } from "#protocol/chain/index.ts";
import type { TrieReader } from "#protocol/trie/index.ts";
import { type Felt, RecentMap } from "#base/primitives/index.ts";
import {
  type BlockPortion,
  type ChainReader,
  type ConsumedL1Message,
  type DeclaredClass,
  type EventQuery,
  RecentState,
  type StateReader,
  type TransactionLocation,
} from "#engine/state/index.ts";

/** Most headers that are kept, some 2 KiB each. */
const KEPT_HEADERS = 256;

/** Most places of transactions that are kept, some 200 bytes each. */
const KEPT_LOCATIONS = 4_096;

/**
 * The accepted chain up to the newest *published* block: a block whose commit returned stays hidden
 * until its acceptance is announced, because the publish gate may still refuse it.
 */
export class PublishedChain implements ChainReader {
  readonly #chain: ChainReader;
  #latest: number;
  /** The state after the newest shown block, which most reads ask for. */
  readonly #state: RecentState;
  /** Headers of shown blocks and places of their transactions: they change when blocks are reverted. */
  readonly #headers = new RecentMap<number, BlockHeader>(KEPT_HEADERS);
  readonly #locations = new RecentMap<Felt, TransactionLocation>(KEPT_LOCATIONS);
  /** A chain has the same oldest block for as long as it is open. */
  #oldest: number | undefined;
  #l1Accepted: number | undefined;
  #isL1Read = false;
  #isOutpaced = false;

  constructor(chain: ChainReader) {
    this.#chain = chain;
    this.#latest = chain.latestNumber() ?? -1;
    this.#state = new RecentState(chain, this.#latest);
  }

  /** Shows blocks up to `blockNumber`. */
  publish(blockNumber: number): void {
    if (blockNumber <= this.#latest) return;
    this.#latest = blockNumber;
    this.#state.advance(blockNumber, undefined);
  }

  /** Shows no blocks above `blockNumber`, until more are published. */
  withdraw(blockNumber: number): void {
    this.#revertTo(Math.min(blockNumber, this.#latest));
  }

  /** The chain was reverted: what is stored is what is shown. */
  reset(): void {
    this.#revertTo(this.#chain.latestNumber() ?? -1);
  }

  snapshot<T>(read: () => T): T {
    return this.#chain.snapshot(read);
  }

  latestNumber(): number | undefined {
    return this.#latest < 0 ? undefined : this.#latest;
  }

  oldestBlock(): number {
    return (this.#oldest ??= this.#chain.oldestBlock());
  }

  /** Looked up once for all requests that arrive together: acceptance on L1 is told by no message. */
  l1AcceptedNumber(): number | undefined {
    if (!this.#isL1Read) {
      this.#l1Accepted = this.#chain.l1AcceptedNumber();
      this.#isL1Read = true;
      setImmediate(() => (this.#isL1Read = false));
    }
    return this.#l1Accepted;
  }

  header(blockNumber: number): BlockHeader | undefined {
    if (!this.#shows(blockNumber)) return undefined;
    const known = this.#headers.touch(blockNumber);
    if (known !== undefined) return known;
    const header = this.#chain.header(blockNumber);
    if (header !== undefined) this.#headers.set(blockNumber, header);
    return header;
  }

  ancestorHeader(blockNumber: number): BlockHeader | undefined {
    return this.#shows(blockNumber) ? this.#chain.ancestorHeader(blockNumber) : undefined;
  }

  numberByHash(blockHash: Felt): number | undefined {
    const number = this.#chain.numberByHash(blockHash);
    return number !== undefined && this.#shows(number) ? number : undefined;
  }

  signature(blockNumber: number): { readonly r: Felt; readonly s: Felt } | undefined {
    return this.#shows(blockNumber) ? this.#chain.signature(blockNumber) : undefined;
  }

  transactions(blockNumber: number): HashedTransaction[] {
    return this.#shows(blockNumber) ? this.#chain.transactions(blockNumber) : [];
  }

  transactionHashes(blockNumber: number): Felt[] {
    return this.#shows(blockNumber) ? this.#chain.transactionHashes(blockNumber) : [];
  }

  receipts(blockNumber: number): Receipt[] {
    return this.#shows(blockNumber) ? this.#chain.receipts(blockNumber) : [];
  }

  locate(transactionHash: Felt): TransactionLocation | undefined {
    const known = this.#locations.touch(transactionHash);
    if (known !== undefined) return known;
    const location = this.#chain.locate(transactionHash);
    if (location === undefined || !this.#shows(location.blockNumber)) return undefined;
    // A copy: the chain keeps a portion of a block beside each location that it has given.
    this.#locations.set(transactionHash, { ...location });
    return location;
  }

  transactionAt(location: TransactionLocation): HashedTransaction | undefined {
    return this.#shows(location.blockNumber) ? this.#chain.transactionAt(location) : undefined;
  }

  receiptAt(location: TransactionLocation): Receipt | undefined {
    return this.#shows(location.blockNumber) ? this.#chain.receiptAt(location) : undefined;
  }

  portionAt(location: TransactionLocation): BlockPortion | undefined {
    return this.#shows(location.blockNumber) ? this.#chain.portionAt(location) : undefined;
  }

  stateDiff(blockNumber: number): StateDiff | undefined {
    return this.#shows(blockNumber) ? this.#chain.stateDiff(blockNumber) : undefined;
  }

  nextEventBlock(query: EventQuery, from: number, to: number): number | undefined {
    return this.#chain.nextEventBlock(query, from, Math.min(to, this.#latest));
  }

  lastStorageUpdate(contractAddress: Felt, key: Felt, blockNumber: number): number | undefined {
    const last = Math.min(blockNumber, this.#latest);
    return this.#chain.lastStorageUpdate(contractAddress, key, last);
  }

  messagesOfL1Transaction(l1TransactionHash: bigint): ConsumedL1Message[] {
    const messages = this.#chain.messagesOfL1Transaction(l1TransactionHash);
    return messages.filter(({ blockNumber }) => this.#shows(blockNumber));
  }

  consumedL1Message(nonce: bigint): ConsumedL1Message | undefined {
    const message = this.#chain.consumedL1Message(nonce);
    return message !== undefined && this.#shows(message.blockNumber) ? message : undefined;
  }

  declaredClass(classHash: Felt): DeclaredClass | undefined {
    const declared = this.#chain.declaredClass(classHash);
    return declared !== undefined && this.#shows(declared.declaredAtBlock) ? declared : undefined;
  }

  stateAt(blockNumber: number): StateReader {
    return blockNumber < this.#latest ? this.#chain.stateAt(blockNumber) : this.#state.newest();
  }

  oldestStateBlock(): number {
    return this.#chain.oldestStateBlock();
  }

  trieAt(blockNumber: number): TrieReader {
    return this.#chain.trieAt(Math.min(blockNumber, this.#latest));
  }

  oldestTrieBlock(): number {
    const oldest = this.#chain.oldestTrieBlock();
    if (oldest > this.#latest) this.#isOutpaced = true;
    return oldest;
  }

  /**
   * Whether, since it was asked last, somebody wanted tries while those of the newest published block were
   * gone, because later blocks are stored: there are some again once these are published.
   *
   * @returns the number of the newest stored block; `undefined`: nobody did
   */
  takeOutpaced(): number | undefined {
    const isOutpaced = this.#isOutpaced;
    this.#isOutpaced = false;
    return isOutpaced ? this.#chain.latestNumber() : undefined;
  }

  /** Blocks are reverted: others may come in their place. */
  #revertTo(blockNumber: number): void {
    this.#latest = blockNumber;
    this.#state.reset(blockNumber);
    this.#headers.clear();
    this.#locations.clear();
    this.#isL1Read = false;
  }

  #shows(blockNumber: number): boolean {
    return blockNumber <= this.#latest;
  }
}

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

/** Maximum cached headers, about 2 KiB each. */
const KEPT_HEADERS = 256;

/** Maximum cached transaction locations, about 200 bytes each. */
const KEPT_LOCATIONS = 4_096;

/**
 * The accepted chain up to the newest *published* block: a block whose commit returned stays hidden
 * until its acceptance is announced, because the publish gate may still refuse it.
 */
export class PublishedChain implements ChainReader {
  readonly #chain: ChainReader;
  #latest: number;
  /** State after the newest visible block, which most reads use. */
  readonly #state: RecentState;
  /** Cached headers and transaction locations of visible blocks, cleared on reverts. */
  readonly #headers = new RecentMap<number, BlockHeader>(KEPT_HEADERS);
  readonly #locations = new RecentMap<Felt, TransactionLocation>(KEPT_LOCATIONS);
  /** Constant while the chain is open. */
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

  /** Hides blocks above `blockNumber` until more are published. */
  withdraw(blockNumber: number): void {
    this.#revertTo(Math.min(blockNumber, this.#latest));
  }

  /** Shows all stored blocks, after a revert. */
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

  /** Read once per event loop turn: no message announces acceptance on L1. */
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
    // Copied, because the chain attaches a portion of the block to each location that it returns.
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
   * Reports and clears the flag of missing tries. The flag is set when a reader needed tries while those of
   * the newest published block were pruned, because later blocks are stored. They become available once these
   * are published.
   *
   * @returns the newest stored block's number; `undefined` if the flag was not set
   */
  takeOutpaced(): number | undefined {
    const isOutpaced = this.#isOutpaced;
    this.#isOutpaced = false;
    return isOutpaced ? this.#chain.latestNumber() : undefined;
  }

  /** Drops cached data, because other blocks may replace the reverted ones. */
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

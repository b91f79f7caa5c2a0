import type { BlockHeader, HashedTransaction, Receipt, StateDiff } from "#protocol/chain/index.ts";
import type { TrieReader } from "#protocol/trie/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type {
  BlockPortion,
  ChainReader,
  ConsumedL1Message,
  DeclaredClass,
  EventQuery,
  StateReader,
  TransactionLocation,
} from "#engine/state/index.ts";

/**
 * The accepted chain up to the newest *published* block: a block whose commit returned stays hidden
 * until its acceptance is announced, because the publish gate may still refuse it.
 */
export class PublishedChain implements ChainReader {
  readonly #chain: ChainReader;
  #latest: number;
  #isOutpaced = false;

  constructor(chain: ChainReader) {
    this.#chain = chain;
    this.#latest = chain.latestNumber() ?? -1;
  }

  /** Shows blocks up to `blockNumber`. */
  publish(blockNumber: number): void {
    if (blockNumber > this.#latest) this.#latest = blockNumber;
  }

  /** Shows no blocks above `blockNumber`, until more are published. */
  withdraw(blockNumber: number): void {
    if (blockNumber < this.#latest) this.#latest = blockNumber;
  }

  /** The chain was reverted: what is stored is what is shown. */
  reset(): void {
    this.#latest = this.#chain.latestNumber() ?? -1;
  }

  snapshot<T>(read: () => T): T {
    return this.#chain.snapshot(read);
  }

  latestNumber(): number | undefined {
    return this.#latest < 0 ? undefined : this.#latest;
  }

  oldestBlock(): number {
    return this.#chain.oldestBlock();
  }

  l1AcceptedNumber(): number | undefined {
    return this.#chain.l1AcceptedNumber();
  }

  header(blockNumber: number): BlockHeader | undefined {
    return this.#shows(blockNumber) ? this.#chain.header(blockNumber) : undefined;
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
    const location = this.#chain.locate(transactionHash);
    return location !== undefined && this.#shows(location.blockNumber) ? location : undefined;
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
    return this.#chain.stateAt(Math.min(blockNumber, this.#latest));
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

  #shows(blockNumber: number): boolean {
    return blockNumber <= this.#latest;
  }
}

import {
  type BlockBundle,
  type BlockHeader,
  type BlockInputs,
  bundleFromParts,
  decodeBlockInputs,
  decodeBundle,
  decodeStateDiff,
  type HashedTransaction,
  type Receipt,
  type StateDiff,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type {
  BlockPortion,
  ChainReader,
  DeclaredClass,
  EventQuery,
  StateReader,
  TransactionLocation,
  WrittenState,
} from "#engine/state/index.ts";
import type { TrieReader } from "#protocol/trie/index.ts";
import { packHeaders, unpackHeaders } from "./ancestors.ts";
import { BlockReader } from "./block/reader.ts";
import { ClassReader } from "./class/reader.ts";
import type { DatabaseHandle } from "./database.ts";
import { EventSearch } from "./event-index/search.ts";
import { SegmentTable } from "./event-index/table.ts";
import { L1MessageReader } from "./l1-message/reader.ts";
import { ANCESTOR_HEADERS_KEY, META, MetaTables, nodeKey } from "./meta.ts";
import { StateTables } from "./state/reader.ts";
import { TransactionReader } from "./transactions/reader.ts";
import { TrieTables } from "./trie/reader.ts";
import type { StoredCasm, StoredChainReader, StoredL1Message } from "./types.ts";

/** Maximum size of cached decoded classes in felts of bytecode, about 50 bytes each. */
const CACHED_BYTECODE_FELTS = 2 ** 19;

/** Size of the cache of trie nodes and hashes: nodes near the roots are part of every proof. */
const TRIE_CACHE_BYTES = 4 << 20;

const NO_HEADERS = packHeaders([]);

/**
 * Creates a reader of a chain database over one handle.
 *
 * Methods of the result throw {@link DecodeError} when a row is damaged.
 */
export function createChainReader(handle: DatabaseHandle): StoredChainReader {
  return new SqliteChainReader(handle);
}

class SqliteChainReader implements StoredChainReader {
  readonly #handle: DatabaseHandle;
  readonly #blocks: BlockReader;
  readonly #nextEventBlock: ChainReader["nextEventBlock"];
  readonly #transactions: TransactionReader;
  readonly #classes: ClassReader;
  readonly #state: StateTables;
  readonly #tries: TrieTables;
  readonly #messages: L1MessageReader;
  readonly #meta: MetaTables;
  /** Newest block whose tries were read. */
  #newestProven: BlockHeader | undefined;

  constructor(handle: DatabaseHandle) {
    const { statements } = handle;
    this.#handle = handle;
    this.#meta = new MetaTables(statements);
    this.#blocks = new BlockReader(statements);
    const events = new EventSearch(new SegmentTable(statements), this.#blocks);
    // Runs in one read transaction: commits can merge index rows.
    this.#nextEventBlock = handle.connection.transaction(
      (query: EventQuery, from: number, to: number) => events.nextBlock(query, from, to),
    );
    this.#transactions = new TransactionReader(statements);
    this.#classes = new ClassReader(statements, CACHED_BYTECODE_FELTS);
    this.#state = new StateTables(statements, this.#classes, () => this.oldestStateBlock());
    this.#tries = new TrieTables(statements, {
      contractId: (address) => this.#state.contractId(address),
      oldestBlock: () => this.oldestTrieBlock(),
      cacheBytes: TRIE_CACHE_BYTES,
    });
    this.#messages = new L1MessageReader(statements);
  }

  snapshot<T>(read: () => T): T {
    return this.#handle.connection.transaction(read)();
  }

  latestNumber(): number | undefined {
    return this.#blocks.latestNumber();
  }

  l1AcceptedNumber(): number | undefined {
    return this.#meta.number(META.l1Accepted);
  }

  header(blockNumber: number): BlockHeader | undefined {
    return this.#blocks.header(blockNumber);
  }

  ancestorHeader(blockNumber: number): BlockHeader | undefined {
    const header = this.#blocks.header(blockNumber);
    if (header !== undefined || blockNumber < 0 || blockNumber >= this.oldestBlock()) return header;
    const packed = this.#meta.bytes(ANCESTOR_HEADERS_KEY);
    return unpackHeaders(packed ?? NO_HEADERS).find(({ number }) => number === blockNumber);
  }

  oldestBlock(): number {
    return this.#meta.number(META.oldestBlock) ?? 0;
  }

  numberByHash(blockHash: Felt): number | undefined {
    return this.#blocks.numberByHash(blockHash);
  }

  signature(blockNumber: number): { readonly r: Felt; readonly s: Felt } | undefined {
    return this.#blocks.encoded(blockNumber)?.signature;
  }

  epoch(blockNumber: number): number | undefined {
    return this.#blocks.encoded(blockNumber)?.epoch;
  }

  inputs(blockNumber: number): BlockInputs | undefined {
    const encoded = this.#blocks.encoded(blockNumber);
    return encoded === undefined ? undefined : decodeBlockInputs(encoded.inputs);
  }

  transactions(blockNumber: number): HashedTransaction[] {
    return this.#transactions.transactions(blockNumber);
  }

  transactionHashes(blockNumber: number): Felt[] {
    return this.transactions(blockNumber).map(({ hash }) => hash);
  }

  receipts(blockNumber: number): Receipt[] {
    return this.#transactions.receipts(blockNumber);
  }

  locate(transactionHash: Felt): TransactionLocation | undefined {
    return this.#transactions.locate(transactionHash);
  }

  transactionAt(location: TransactionLocation): HashedTransaction | undefined {
    return this.#transactions.transactionAt(location);
  }

  receiptAt(location: TransactionLocation): Receipt | undefined {
    return this.#transactions.receiptAt(location);
  }

  portionAt(location: TransactionLocation): BlockPortion | undefined {
    return this.#transactions.portionAt(location);
  }

  stateDiff(blockNumber: number): StateDiff | undefined {
    const bytes = this.#blocks.stateDiffBytes(blockNumber);
    return bytes === undefined ? undefined : decodeStateDiff(bytes);
  }

  nextEventBlock(query: EventQuery, from: number, to: number): number | undefined {
    return this.#nextEventBlock(query, from, to);
  }

  lastStorageUpdate(contractAddress: Felt, key: Felt, blockNumber: number): number | undefined {
    return this.#state.lastStorageUpdate(contractAddress, key, blockNumber);
  }

  declaredClass(classHash: Felt): DeclaredClass | undefined {
    return this.#classes.declaredClass(classHash);
  }

  casm(classHash: Felt): StoredCasm | undefined {
    return this.#classes.casm(classHash);
  }

  stateAt(blockNumber: number): StateReader {
    return this.#state.at(blockNumber);
  }

  writtenAt(blockNumber: number): WrittenState {
    return this.#state.writtenAt(blockNumber);
  }

  bundle(blockNumber: number): BlockBundle | undefined {
    const bytes = this.bundleBytes(blockNumber);
    return bytes === undefined ? undefined : decodeBundle(bytes);
  }

  bundleBytes(blockNumber: number): Uint8Array | undefined {
    // One read transaction, so that the block is not reverted between these reads.
    return this.#handle.connection.transaction(() => {
      const block = this.#blocks.encoded(blockNumber);
      const stateDiff = this.#blocks.stateDiffBytes(blockNumber);
      if (block === undefined || stateDiff === undefined) return undefined;
      const chunks = this.#transactions.chunks(blockNumber);
      return bundleFromParts({
        ...block,
        transactions: chunks.flatMap((chunk) => chunk.transactions),
        receipts: chunks.flatMap((chunk) => chunk.receipts),
        stateDiff,
        classes: this.#classes.ofBlock(blockNumber),
      });
    })();
  }

  consumedL1Message(nonce: bigint): StoredL1Message | undefined {
    return this.#messages.byNonce(nonce);
  }

  newestConsumedNonce(): bigint | undefined {
    return this.#messages.newestNonce();
  }

  declaringBlocks(): number[] {
    return this.#classes.declaringBlocks();
  }

  firstConsumedFrom(nonce: bigint): StoredL1Message | undefined {
    return this.#messages.firstFrom(nonce);
  }

  messagesOfL1Transaction(l1TransactionHash: bigint): StoredL1Message[] {
    return this.#messages.ofL1Transaction(l1TransactionHash);
  }

  trieAt(blockNumber: number): TrieReader {
    this.#requireSameChain(blockNumber);
    return this.#tries.at(blockNumber);
  }

  /**
   * Clears the trie cache after a reorg. Another connection may revert the chain and reuse node ids, so
   * cached nodes are valid only while the newest block they belong to exists.
   */
  #requireSameChain(blockNumber: number): void {
    let newest = this.#newestProven;
    if (newest === undefined || this.#blocks.numberByHash(newest.hash) !== newest.number) {
      this.#tries.forget();
      newest = undefined;
    }
    this.#newestProven =
      newest !== undefined && newest.number >= blockNumber
        ? newest
        : this.#blocks.header(blockNumber);
  }

  oldestStateBlock(): number {
    return this.#meta.number(META.oldestStateBlock) ?? 0;
  }

  oldestTrieBlock(): number {
    return this.#meta.number(META.oldestTrieBlock) ?? 0;
  }

  value(key: string): Uint8Array | undefined {
    return this.#meta.bytes(nodeKey(key));
  }
}

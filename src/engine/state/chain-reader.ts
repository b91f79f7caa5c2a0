import type {
  BlockHeader,
  ContractClass,
  HashedTransaction,
  Receipt,
  StateDiff,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "./reader.ts";

/** Place of a transaction in an accepted block. */
export interface TransactionLocation {
  readonly blockNumber: number;
  /** Position in the block, from 0. */
  readonly index: number;
}

/** A class as declared and where that happened. */
export interface DeclaredClass {
  readonly contractClass: ContractClass;
  readonly declaredAtBlock: number;
}

/**
 * Accepted blocks and their state, read synchronously from one handle. No method leaves a read
 * transaction open, so that a reader never holds back the write-ahead log.
 */
export interface ChainReader {
  /** Number of the newest accepted block; `undefined` before block 0. */
  latestNumber(): number | undefined;
  /** Number of the newest block accepted on L1; `undefined` when none is. */
  l1AcceptedNumber(): number | undefined;
  header(blockNumber: number): BlockHeader | undefined;
  numberByHash(blockHash: Felt): number | undefined;
  /** The sequencer's signature over the block hash. */
  signature(blockNumber: number): { readonly r: Felt; readonly s: Felt } | undefined;
  /** All transactions of a block in order; empty for an unknown block. */
  transactions(blockNumber: number): HashedTransaction[];
  transactionHashes(blockNumber: number): Felt[];
  /** All receipts of a block in order; empty for an unknown block. */
  receipts(blockNumber: number): Receipt[];
  locate(transactionHash: Felt): TransactionLocation | undefined;
  transactionAt(location: TransactionLocation): HashedTransaction | undefined;
  receiptAt(location: TransactionLocation): Receipt | undefined;
  stateDiff(blockNumber: number): StateDiff | undefined;
  /** A class by hash with the block that declared it. */
  declaredClass(classHash: Felt): DeclaredClass | undefined;
  /** State after block `blockNumber`; -1 is the state before block 0. */
  stateAt(blockNumber: number): StateReader;
}

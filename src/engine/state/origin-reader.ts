import type { BlockHeader, HashedTransaction, Receipt, StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ConsumedL1Message, DeclaredClass, TransactionLocation } from "./chain-reader.ts";
import type { StateReader } from "./reader.ts";

/** Block of the origin. Its receipts have no data availability gas and no machine resources: both are 0. */
export interface OriginBlock {
  readonly header: BlockHeader;
  readonly transactions: readonly HashedTransaction[];
  /** One per transaction. */
  readonly receipts: readonly Receipt[];
}

/**
 * The origin of a forked chain up to the fork block, read synchronously: the calling thread waits for the
 * origin. Block numbers must be at most {@link forkBlock}.
 *
 * Every method throws {@link OriginError}: ORIGIN_UNAVAILABLE when the origin does not respond in time,
 * ORIGIN_REFUSED when it responds with an error, ORIGIN_BAD_ANSWER when its response is wrong. None of these
 * is ever reported as a missing value.
 */
export interface OriginReader {
  /** Number of the block that the forked chain continues. */
  readonly forkBlock: number;
  /** State after a block. */
  stateAt(blockNumber: number): StateReader;
  block(blockNumber: number): OriginBlock;
  stateDiff(blockNumber: number): StateDiff;
  /** Number of the fork block or of an ancestor with this hash; `undefined` for other blocks. */
  numberByHash(blockHash: Felt): number | undefined;
  /** Location of a transaction up to the fork block; `undefined` for others. */
  locate(transactionHash: Felt): TransactionLocation | undefined;
  /** Class that is declared in the state of the fork block. Its `declaredAtBlock` is the fork block. */
  declaredClass(classHash: Felt): DeclaredClass | undefined;
  /** Number of the newest block up to the fork block that is accepted on L1; `undefined` if none is. */
  l1AcceptedNumber(): number | undefined;
  /** Transactions up to the fork block that consumed the messages of an L1 transaction, in block order. */
  messagesOfL1Transaction(l1TransactionHash: bigint): ConsumedL1Message[];
}

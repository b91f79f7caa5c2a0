import type {
  BlockInfo,
  EncodedClass,
  EncodedTransaction,
  Receipt,
  StateDiff,
} from "#protocol/chain/index.ts";

/** Complete block except for what the committer computes: roots, commitments, hash. */
export interface SealedDraft {
  readonly info: BlockInfo;
  readonly transactions: readonly EncodedTransaction[];
  readonly receipts: readonly Receipt[];
  readonly stateDiff: StateDiff;
  /** Classes that the block declares, in the order of their transactions. */
  readonly classes: readonly EncodedClass[];
}

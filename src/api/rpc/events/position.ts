import type { Felt } from "#base/primitives/index.ts";

/** Where a search for events goes on: at an event, or at the begin of a block. */
export interface EventPosition {
  readonly blockNumber: number;
  /** Position of the transaction in the block, from 0. */
  readonly transactionIndex: number;
  /** Position of the event in the transaction, from 0. */
  readonly eventIndex: number;
  /**
   * {@link tagOf} of the transaction; absent at the begin of a block. A block that is not accepted
   * may be built again with other transactions: then the position means nothing any more.
   */
  readonly transactionTag?: number;
}

/** The begin of a block. */
export function startOf(blockNumber: number): EventPosition {
  return { blockNumber, transactionIndex: 0, eventIndex: 0 };
}

/** The low 48 bits of a transaction hash. */
export function tagOf(transactionHash: Felt): number {
  return Number(transactionHash & 0xffff_ffff_ffffn);
}

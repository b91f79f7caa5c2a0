/** Position where an event search continues: at an event, or at the start of a block. */
export interface EventPosition {
  readonly blockNumber: number;
  /** Position of the transaction in the block, from 0. */
  readonly transactionIndex: number;
  /** Position of the event in the transaction, from 0. */
  readonly eventIndex: number;
}

/** Returns the start of a block. */
export function startOf(blockNumber: number): EventPosition {
  return { blockNumber, transactionIndex: 0, eventIndex: 0 };
}

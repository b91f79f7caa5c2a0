/** Greatest number of addresses in a filter. */
export const MAX_FILTER_ADDRESSES = 1024;

/** Blocks that are stored together in the index of events: one look there says which of them match. */
export const BLOCKS_OF_LOOK = 1024;

/** When a page ends early: it then has the token of the next one. */
export interface PageLimits {
  /** Felts of keys and data that a page may hold; one event may have more. */
  readonly felts: number;
  /** Work, in looks into the index of events (5 us); a page gets through one block in any case. */
  readonly budget: number;
  /**
   * Blocks that are passed between two questions whether the request is to end; fewer where a look costs
   * more.
   */
  readonly window: number;
}

/** Pages of at most about 9 MB of JSON, whose events are looked for about 25 ms. */
export const PAGE_LIMITS: PageLimits = { felts: 2 ** 17, budget: 5000, window: 2 ** 19 };

/** What it costs to read a block without its receipts, in looks. */
export const BLOCK_COST = 2;

/** What it costs to read a receipt without its events, in looks. */
export const RECEIPT_COST = 1;

/** What it costs to read an event, in looks. */
export const EVENT_COST = 1 / 8;

/**
 * What an address or a key costs beside the first, in looks: where blocks hold little, many of them are
 * found with one look.
 */
export const CHOICE_COST = 1 / 4;

/** Maximum number of addresses in a filter. */
export const MAX_FILTER_ADDRESSES = 1024;

/** Number of blocks that one lookup in the event index covers: it returns which of them match. */
export const BLOCKS_OF_LOOK = 1024;

/** Limits at which a page ends early; it then contains the token of the next one. */
export interface PageLimits {
  /** Maximum felts of keys and data in a page; a single event may have more. */
  readonly felts: number;
  /** Work budget, in lookups of the event index (5 us each); a page always processes at least one block. */
  readonly budget: number;
  /** Number of blocks processed between two checks for cancellation; fewer if a lookup costs more. */
  readonly window: number;
}

/** Limits for pages of at most about 9 MB of JSON that take about 25 ms to search. */
export const PAGE_LIMITS: PageLimits = { felts: 2 ** 17, budget: 5000, window: 2 ** 19 };

/** Cost of reading a block without its receipts, in lookups. */
export const BLOCK_COST = 2;

/** Cost of reading a receipt without its events, in lookups. */
export const RECEIPT_COST = 1;

/** Cost of reading an event, in lookups. */
export const EVENT_COST = 1 / 8;

/**
 * Cost of each additional address or key, in lookups: if blocks contain little, one lookup checks many of
 * them.
 */
export const CHOICE_COST = 1 / 4;

/** Greatest `chunk_size` of a page of events; above it is PAGE_SIZE_TOO_BIG. */
export const MAX_CHUNK_SIZE = 1000;

/** Greatest number of key positions and their alternatives together; TOO_MANY_KEYS_IN_FILTER above. */
export const MAX_FILTER_KEYS = 1024;

/** Greatest number of addresses in a filter. */
export const MAX_FILTER_ADDRESSES = 1024;

/** When a page ends early: it then has the token of the next one. */
export interface PageLimits {
  /** Felts of keys and data that a page may hold; one event may have more. */
  readonly felts: number;
  /** Work, in looks at the filter of a block; a page gets through one block in any case. */
  readonly budget: number;
  /** Blocks that are looked at between two questions whether the request is to end. */
  readonly window: number;
}

/** Pages of at most about 9 MB of JSON, whose events are looked for about a tenth of a second. */
export const PAGE_LIMITS: PageLimits = { felts: 2 ** 17, budget: 2 ** 16, window: 256 };

/** What it costs to read a receipt, in looks. */
export const RECEIPT_COST = 4;

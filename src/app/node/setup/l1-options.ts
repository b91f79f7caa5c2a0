import type { L1Finality } from "#io/l1/index.ts";

/** An oracle that tells how many STRK an ETH is worth. */
export interface OracleOptions {
  /** Its address, to which the pair and the interval are added. */
  readonly url: string;
  /** File with the key that is sent to it; `null`: none is. */
  readonly apiKeyFile: string | null;
}

/** How L1 is followed. Holds no secrets but those that its addresses may have. */
export interface L1Options {
  /** Addresses of L1 nodes, in order of preference; at least one, each another one. */
  readonly endpoints: readonly string[];
  /** From when on a block of L1 counts. */
  readonly finality: L1Finality;
  /**
   * Transactions on L1 whose state updates may differ from the chain: they stop nothing, and make no block
   * accepted on L1.
   */
  readonly acceptedDivergences: readonly bigint[];
  /** Time between two looks at L1's gas prices. */
  readonly gasPricePollMs: number;
  /** `null`: the exchange rate is fixed. */
  readonly oracle: OracleOptions | null;
}

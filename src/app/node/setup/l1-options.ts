import type { L1Finality } from "#io/l1/index.ts";

/** Price oracle for the exchange rate of STRK to ETH. */
export interface OracleOptions {
  /** Base URL, to which the pair and the interval are added. */
  readonly url: string;
  /** File with the API key; `null` to send none. */
  readonly apiKeyFile: string | null;
}

/** Options of following L1. Contains no secrets, except those that its URLs may contain. */
export interface L1Options {
  /** URLs of L1 nodes, in order of preference; at least one, without duplicates. */
  readonly endpoints: readonly string[];
  /** Condition for a block of L1 to count. */
  readonly finality: L1Finality;
  /** L1 transactions whose state updates may differ: they halt nothing, and settle no block. */
  readonly acceptedDivergences: readonly bigint[];
  /** Interval between L1 gas price polls. */
  readonly gasPricePollMs: number;
  /** `null` for a fixed exchange rate. */
  readonly oracle: OracleOptions | null;
}

import type { NodeValues } from "#app/options/index.ts";
import type { L1Finality } from "#io/l1/index.ts";

/** Price oracle for the exchange rate of STRK to ETH. */
export interface OracleOptions extends Omit<NodeValues["l1"]["oracle"], "url"> {
  /** Base URL, to which the pair and the interval are added. */
  readonly url: string;
}

/** Options of following L1. Contains no secrets, except those that its URLs may contain. */
export interface L1Options extends Omit<NodeValues["l1"], "finality" | "oracle"> {
  /** Condition for a block of L1 to count. */
  readonly finality: L1Finality;
  /** `null` for a fixed exchange rate. */
  readonly oracle: OracleOptions | null;
}

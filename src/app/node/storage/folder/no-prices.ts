import { NodeError } from "#base/errors/index.ts";

/** That a new chain cannot start. @param finding - why L1 has told no prices */
export function noPrices(finding: string): NodeError {
  return new NodeError(
    "NODE_NO_L1_PRICES",
    `a new chain needs prices of L1 to begin with (${finding}): try again, name another --l1-endpoint, or fix them with --l1-gas-price, --blob-gas-price and --strk-per-eth`,
  );
}

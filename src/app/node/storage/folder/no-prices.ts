import { NodeError } from "#base/errors/index.ts";

/** Error of a new chain that cannot start without prices. @param finding - reason why L1 reported none */
export function noPrices(finding: string): NodeError {
  return new NodeError(
    "NODE_NO_L1_PRICES",
    `a new chain needs L1 gas prices to start (${finding}): try again, name another --l1-endpoint, or fix them with --l1-gas-price, --blob-gas-price and --strk-per-eth`,
  );
}

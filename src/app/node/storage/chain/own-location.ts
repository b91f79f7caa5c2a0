import { OriginError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ChainReader, TransactionLocation } from "#engine/state/index.ts";

/**
 * Returns the location of a transaction in a block of this node, for the main thread, which does not read a
 * fork's origin. `undefined` for others.
 */
export function ownLocation(
  chain: Pick<ChainReader, "locate">,
  transactionHash: Felt,
): TransactionLocation | undefined {
  try {
    return chain.locate(transactionHash);
  } catch (error) {
    if (!(error instanceof OriginError)) throw error;
    return undefined;
  }
}

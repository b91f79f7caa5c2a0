import { OriginError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { TransactionLocation } from "#engine/state/index.ts";
import { OriginMissing } from "#io/origin/index.ts";
import type { ChainContext } from "../context.ts";

/**
 * Locates a transaction of an accepted block. On a fork, `undefined` also if only the origin may have it:
 * what this node has received is searched first, so that it is found while the origin is down. Before a
 * transaction is reported as unknown, {@link requireLocation} searches the origin.
 */
export function locateFirst(
  { chain, fork }: Pick<ChainContext, "chain" | "fork">,
  transactionHash: Felt,
): TransactionLocation | undefined {
  if (fork === null) return chain.locate(transactionHash);
  try {
    return chain.locate(transactionHash);
  } catch (thrown) {
    if (thrown instanceof OriginError) return undefined;
    throw thrown;
  }
}

/**
 * Searches a fork's origin for a transaction that {@link locateFirst} does not know; returns if it
 * is unknown there as well. Call it before reporting a transaction as unknown.
 *
 * @throws {OriginError} when only a fork's origin knows whether it exists
 * @throws {OriginMissing} when it exists: another request fetched its location since {@link
 *   locateFirst}
 */
export function requireLocation(
  { chain, fork }: Pick<ChainContext, "chain" | "fork">,
  transactionHash: Felt,
): void {
  if (fork === null || chain.locate(transactionHash) === undefined) return;
  throw new OriginMissing([{ kind: "locate", transactionHash }]);
}

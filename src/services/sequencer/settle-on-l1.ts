import type { Felt } from "#base/primitives/index.ts";
import type { SettledOnL1, SettleOnL1 } from "./messages.ts";

/** Ports of {@link settleOnL1}. */
export interface SettlingPorts {
  readonly chain: { header(blockNumber: number): { readonly hash: Felt } | undefined };
  readonly writer: { setL1Accepted(blockNumber: number): void };
}

/**
 * Records that blocks are accepted on L1, unless the named block is gone: the chain may have been reverted
 * while the message was in flight.
 *
 * @returns the response
 * @throws {StorageError} when acceptance cannot be recorded
 */
export function settleOnL1(
  { chain, writer }: SettlingPorts,
  { id, blockNumber, blockHash }: SettleOnL1,
): SettledOnL1 {
  const isThere = chain.header(blockNumber)?.hash === blockHash;
  if (isThere) writer.setL1Accepted(blockNumber);
  return { kind: "settledOnL1", id, isDone: isThere };
}

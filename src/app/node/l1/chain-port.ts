import type { StoredChainReader } from "#io/storage/index.ts";
import type { L1ChainPort } from "#services/l1-watch/index.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";

/** Chain data for following L1: published blocks, and the messages of stored blocks. */
export function l1ChainPort(
  { chain }: Pick<ChainView, "chain">,
  stored: Pick<
    StoredChainReader,
    "consumedL1Message" | "firstConsumedFrom" | "inputs" | "newestConsumedNonce"
  >,
): L1ChainPort {
  return {
    latestNumber: () => chain.latestNumber(),
    oldestBlock: () => chain.oldestBlock(),
    header(blockNumber) {
      const header = chain.header(blockNumber);
      return header && { hash: header.hash, stateRoot: header.newRoot };
    },
    l1AcceptedNumber: () => chain.l1AcceptedNumber(),
    consumedMessage: (nonce) => stored.consumedL1Message(nonce),
    newestConsumedNonce: () => stored.newestConsumedNonce(),
    firstConsumedFrom: (nonce) => stored.firstConsumedFrom(nonce),
    l1BlockOf({ blockNumber, transactionHash }) {
      const messages = stored.inputs(blockNumber)?.l1Messages ?? [];
      const message = messages.find((each) => each.transactionHash === transactionHash);
      return message?.l1BlockNumber ?? undefined;
    },
  };
}

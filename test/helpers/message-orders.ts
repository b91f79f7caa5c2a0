import { encodeTransaction, type L1Handler } from "#protocol/chain/index.ts";
import type { ControlCommand, MessageFromL1 } from "#services/sequencer/index.ts";
import { executorWorld } from "./executor-world.ts";

/** Number of the L1 block of all messages. */
export const L1_BLOCK = 77;

/** A message to a missing contract: it reverts and is consumed. */
export function handlerToNobody(nonce: bigint, parts: Partial<L1Handler> = {}): L1Handler {
  return {
    type: "L1_HANDLER",
    version: 0,
    nonce,
    contractAddress: 0x404n,
    entryPointSelector: 0x123n,
    calldata: [0x11n, 1n],
    paidFeeOnL1: 1n,
    ...parts,
  };
}

/** {@link handlerToNobody} as sent by L1, with the hash 0x900 + nonce. */
export function messageToNobody(nonce: bigint, parts: Partial<L1Handler> = {}): MessageFromL1 {
  const transaction = handlerToNobody(nonce, parts);
  const bytes = encodeTransaction({ hash: 0x900n + nonce, transaction });
  return { bytes, l1TransactionHash: 0xabcn + nonce, l1BlockNumber: L1_BLOCK };
}

/** An order to execute one {@link messageToNobody} per nonce. */
export function messageOrder(...nonces: readonly bigint[]): ControlCommand {
  return { kind: "messages", messages: nonces.map((nonce) => messageToNobody(nonce)) };
}

/** The nonces from 0 to `count` - 1. */
export function noncesUpTo(count: number): bigint[] {
  return Array.from({ length: count }, (_, i) => BigInt(i));
}

/** Executor command that closes the open block. */
export const CLOSE: ControlCommand = { kind: "createBlock", fresh: false };

/**
 * A started executor. It requests a batch at the start; admission has responded that no transaction
 * is pending, unless `isAsked`.
 */
export function messageWorld(parts: Parameters<typeof executorWorld>[0] = {}, isAsked = false) {
  const made = executorWorld({ schedule: { onDemand: false }, ...parts });
  made.service.start();
  if (!isAsked) made.batch([]);
  const hashes = () => made.sealed().map(({ draft }) => draft.transactions.map(({ hash }) => hash));
  return { ...made, hashes };
}

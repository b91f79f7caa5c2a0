import { encodeTransaction, type L1Handler } from "#protocol/chain/index.ts";
import type { ControlCommand, MessageFromL1 } from "#services/sequencer/index.ts";
import { executorWorld } from "./executor-world.ts";

/** The block on L1 that messages are from. */
export const L1_BLOCK = 77;

/** A message to no contract: it fails, and is consumed. */
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

/** The same as L1 sends it, with the hash 0x900 + nonce. */
export function messageToNobody(nonce: bigint, parts: Partial<L1Handler> = {}): MessageFromL1 {
  const transaction = handlerToNobody(nonce, parts);
  const bytes = encodeTransaction({ hash: 0x900n + nonce, transaction });
  return { bytes, l1TransactionHash: 0xabcn + nonce, l1BlockNumber: L1_BLOCK };
}

/** An order of such messages. */
export function messageOrder(...nonces: readonly bigint[]): ControlCommand {
  return { kind: "messages", messages: nonces.map((nonce) => messageToNobody(nonce)) };
}

/** Nonces from 0 on. */
export function noncesUpTo(count: number): bigint[] {
  return Array.from({ length: count }, (_, i) => BigInt(i));
}

/** Has the open block closed. */
export const CLOSE: ControlCommand = { kind: "createBlock", fresh: false };

/**
 * A started executor. Admission is asked at the start; it has answered that no transaction waits, unless
 * `isAsked`.
 */
export function messageWorld(parts: Parameters<typeof executorWorld>[0] = {}, isAsked = false) {
  const made = executorWorld({ schedule: { onDemand: false }, ...parts });
  made.service.start();
  if (!isAsked) made.batch([]);
  const hashes = () => made.sealed().map(({ draft }) => draft.transactions.map(({ hash }) => hash));
  return { ...made, hashes };
}

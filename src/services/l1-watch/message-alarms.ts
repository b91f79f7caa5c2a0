import type { L1BlockId } from "#io/l1/index.ts";
import type { ConsumedMessage, L1Alarm } from "./ports.ts";

/**
 * Creates the alarm that L1 has a different message than the one that the chain executed.
 *
 * @param nonce - nonce of both messages
 * @param consumed - where the chain executed its message
 */
export function messageChanged(
  nonce: bigint,
  consumed: ConsumedMessage,
  l1Block: L1BlockId,
): L1Alarm {
  return {
    kind: "message_changed",
    message:
      `block ${consumed.blockNumber} has executed a message with nonce ${nonce} that L1 does not have: ` +
      `L1 has a different one with that nonce. Such a chain cannot be proven; ${wayBack(consumed)}`,
    l1Block,
  };
}

/**
 * Creates the alarm that L1 lacks messages that the chain executed.
 *
 * @param next - nonce of the next message on L1: L1 lacks this and all higher nonces
 * @param newest - highest nonce that the chain executed
 * @param first - where the chain executed the first of them; `undefined` if unknown
 */
export function messageVanished(
  next: bigint,
  newest: bigint,
  first: ConsumedMessage | undefined,
  l1Block: L1BlockId,
): L1Alarm {
  const which = next === newest ? `nonce ${newest}` : `nonces from ${next} to ${newest}`;
  return {
    kind: "message_vanished",
    message:
      `messages with ${which} were executed and are not on L1, whose next nonce is ${next}. ` +
      `Such a chain cannot be proven; ${wayBack(first)}`,
    l1Block,
  };
}

function wayBack(first: ConsumedMessage | undefined): string {
  if (first === undefined) return "revert the chain to before their block";
  const { blockNumber } = first;
  return blockNumber === 0
    ? "its first block has it: begin a new chain"
    : `revert the chain to block ${blockNumber - 1}`;
}

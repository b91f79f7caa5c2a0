import { keccak256 } from "viem";
import { feltsOf, feltText } from "../abi/felt.ts";
import { listIn, objectIn } from "../abi/read-entry.ts";

/** Message between L1 and this chain. */
export interface Message {
  /** Sender: a contract on L1 for messages from there, otherwise one of this chain. */
  readonly from: string;
  readonly to: string;
  readonly payload: readonly string[];
  /** 256 bits in hex, 64 digits: the key of the message in the core contract on L1. */
  readonly hash: string;
}

/** Returns the messages to L1 of a receipt. */
export function messagesToL1(receipt: unknown): readonly Message[] {
  return listIn(objectIn(receipt)["messages_sent"]).map((one) => {
    const message = objectIn(one);
    const from = feltText(message["from_address"]);
    const to = feltText(message["to_address"]);
    const payload = feltsOf(message["payload"]);
    return { from, to, payload, hash: hashOf([from, to, lengthOf(payload), ...payload]) };
  });
}

/**
 * Returns the message from L1 that an L1 handler transaction executes; `undefined` for other transactions. The first
 * felt of the calldata is the sender. Its hash does not need the receipt, which is absent while the message waits.
 */
export function messageFromL1(transaction: unknown): Message | undefined {
  const sent = objectIn(transaction);
  if (sent["type"] !== "L1_HANDLER") return undefined;
  const [from = "0x0", ...payload] = feltsOf(sent["calldata"]);
  const to = feltText(sent["contract_address"]);
  const nonce = feltText(sent["nonce"]);
  const selector = feltText(sent["entry_point_selector"]);
  const words = [from, to, nonce, selector, lengthOf(payload), ...payload];
  return { from, to, payload, hash: hashOf(words) };
}

function lengthOf(payload: readonly string[]): string {
  return `0x${payload.length.toString(16)}`;
}

/** Keccak-256 over words of 32 bytes. Source: `StarknetMessaging.sol`, `getL1ToL2MsgHash` and `consumeMessageFromL2`. */
function hashOf(words: readonly string[]): string {
  return keccak256(`0x${words.map((word) => word.slice(2).padStart(64, "0")).join("")}`);
}

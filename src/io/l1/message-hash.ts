import { keccak256 } from "#protocol/crypto/index.ts";
import type { MessageLog } from "./types.ts";

const WORD_BYTES = 32;

/**
 * Hash under which the core contract stores a message to L2, 256 bits; its values need not be felts.
 * Keccak-256 over 32-byte words of sender, recipient, nonce, selector, payload length and payload.
 *
 * Source: `StarknetMessaging.sol`, getL1ToL2MsgHash.
 */
export function messageToL2Hash(
  message: Pick<MessageLog, "fromAddress" | "toAddress" | "nonce" | "selector" | "payload">,
): bigint {
  const { fromAddress, toAddress, nonce, selector, payload } = message;
  const words = [fromAddress, toAddress, nonce, selector, BigInt(payload.length), ...payload];
  const text = words.map((word) => word.toString(16).padStart(WORD_BYTES * 2, "0")).join("");
  const bytes = Uint8Array.fromHex(text);
  return BigInt(`0x${keccak256(bytes).toHex()}`);
}

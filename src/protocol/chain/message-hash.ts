import { keccak256 } from "#protocol/crypto/index.ts";
import { bytesFromFelt, type Felt } from "#base/primitives/index.ts";
import type { MessageToL1 } from "./receipt.ts";
import type { L1Handler } from "./transaction.ts";

/**
 * 256-bit hash of an L1-to-L2 message as the core contract logs it: Keccak-256 over 32-byte words of sender,
 * recipient, nonce, selector, payload length and payload.
 *
 * Source: `StarknetMessaging.sol`, getL1ToL2MsgHash.
 */
export function l1MessageHash({
  contractAddress,
  entryPointSelector,
  nonce,
  calldata: [sender = 0n, ...payload],
}: Pick<L1Handler, "contractAddress" | "entryPointSelector" | "nonce" | "calldata">): bigint {
  const length = BigInt(payload.length);
  return keccakOfWords([sender, contractAddress, nonce, entryPointSelector, length, ...payload]);
}

/**
 * 256-bit hash of an L2-to-L1 message, its key in the core contract: Keccak-256 over 32-byte words of sender,
 * recipient, payload length and payload.
 *
 * Source: `StarknetMessaging.sol`, consumeMessageFromL2.
 */
export function l2MessageHash({ fromAddress, toAddress, payload }: MessageToL1): bigint {
  return keccakOfWords([fromAddress, toAddress, BigInt(payload.length), ...payload]);
}

function keccakOfWords(words: readonly Felt[]): bigint {
  return BigInt(`0x${keccak256(Buffer.concat(words.map(bytesFromFelt))).toHex()}`);
}

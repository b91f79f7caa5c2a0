import { keccak256 } from "#protocol/crypto/index.ts";
import { bytesFromFelt, type Felt } from "#base/primitives/index.ts";
import type { MessageToL1 } from "./receipt.ts";
import type { L1Handler } from "./transaction.ts";

/**
 * Hash of a message from L1 as the core contract logs it, of 256 bits: Keccak-256 over words of 32
 * bytes of sender, recipient, nonce, selector, payload length and payload.
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
 * Hash of a message to L1 under which the core contract keeps it, of 256 bits: Keccak-256 over words
 * of 32 bytes of sender, recipient, payload length and payload.
 *
 * Source: `StarknetMessaging.sol`, consumeMessageFromL2.
 */
export function l2MessageHash({ fromAddress, toAddress, payload }: MessageToL1): bigint {
  return keccakOfWords([fromAddress, toAddress, BigInt(payload.length), ...payload]);
}

function keccakOfWords(words: readonly Felt[]): bigint {
  return BigInt(`0x${keccak256(Buffer.concat(words.map(bytesFromFelt))).toHex()}`);
}

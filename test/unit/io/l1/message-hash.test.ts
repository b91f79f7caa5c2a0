import { expect, test } from "bun:test";
import { encodePacked, keccak256 } from "viem";
import { messageToL2Hash } from "#io/l1/index.ts";
import { l1MessageHash } from "#protocol/chain/index.ts";

const message = {
  fromAddress: 0xabcdef0123456789n,
  toAddress: 0x1234n,
  nonce: 5n,
  selector: 0x99n,
  payload: [1n, 2n, 3n],
};

test("messageToL2Hash of felts equals the hash of the L1 handler", () => {
  const { fromAddress, toAddress, nonce, selector, payload } = message;
  expect(messageToL2Hash(message)).toBe(
    l1MessageHash({
      contractAddress: toAddress,
      entryPointSelector: selector,
      nonce,
      calldata: [fromAddress, ...payload],
    }),
  );
});

test("messageToL2Hash is Keccak-256 over the words of any message", () => {
  const most = 2n ** 256n - 1n;
  for (const payload of [[], [most], [0n, most, 7n]]) {
    const { fromAddress, nonce } = message;
    const words = [fromAddress, most, nonce, most - 1n, BigInt(payload.length), ...payload];
    const packed = encodePacked(
      words.map(() => "uint256"),
      words,
    );
    const hash = messageToL2Hash({ ...message, toAddress: most, selector: most - 1n, payload });
    expect(hash).toBe(BigInt(keccak256(packed)));
  }
});

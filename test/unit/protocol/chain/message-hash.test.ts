import { expect, test } from "bun:test";
import { hash } from "starknet";
import { l1MessageHash, l2MessageHash } from "#protocol/chain/index.ts";

const CONTRACT = 0x285ddb7e5c777b310d806b9b2a0f7c7ba0a41f12b420219209d97a3b7f25b2n;
const L1 = 0xe7f1725e7734ce288f8367e1bb143e90bb3f0512n;
const SELECTOR = 0xc73f681176fc7b3f9693986fd7b14581e8d540519e27400e88b8713932be01n;

test.each([[[]], [[1n, 2n]], [[0n, (1n << 251n) + 5n]]])(
  "message hashes with payload %p agree with starknet.js",
  (payload) => {
    const message = {
      contractAddress: CONTRACT,
      entryPointSelector: SELECTOR,
      nonce: 8n,
      calldata: [L1, ...payload],
    };
    expect(l1MessageHash(message)).toBe(
      BigInt(hash.getL2MessageHash(L1, CONTRACT, SELECTOR, payload, 8n)),
    );
    expect(l2MessageHash({ fromAddress: CONTRACT, toAddress: L1, payload })).toBe(
      BigInt(hash.getL1MessageHash(CONTRACT, L1, payload)),
    );
  },
);

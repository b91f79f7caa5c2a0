import { describe, expect, test } from "bun:test";
import { hash } from "starknet";
import { messageFromL1, messagesToL1 } from "#api/explorer/page/decode/messages.ts";

const CONTRACT = "0x285ddb7e5c777b310d806b9b2a0f7c7ba0a41f12b420219209d97a3b7f25b2";
const L1 = "0xe7f1725e7734ce288f8367e1bb143e90bb3f0512";
const SELECTOR = "0xc73f681176fc7b3f9693986fd7b14581e8d540519e27400e88b8713932be01";
const PAYLOADS = [[], ["0x1", "0x2"], ["0x0", `0x8${"0".repeat(61)}5`]];
const padded = (text: string): string => `0x${BigInt(text).toString(16).padStart(64, "0")}`;

const handler = (payload: readonly string[]) => ({
  type: "L1_HANDLER",
  version: "0x0",
  nonce: "0x8",
  contract_address: CONTRACT,
  entry_point_selector: SELECTOR,
  calldata: [L1, ...payload],
});

describe("messagesToL1", () => {
  test.each(PAYLOADS.map((payload) => [payload]))(
    "reads a message with payload %p and its hash, equal to that of starknet.js",
    (payload) => {
      const receipt = {
        messages_sent: [{ from_address: CONTRACT, to_address: L1, payload }],
      };
      const expected = padded(hash.getL1MessageHash(CONTRACT, L1, payload.map(BigInt)));
      expect(messagesToL1(receipt)).toEqual([
        { from: CONTRACT, to: L1, payload: [...payload], hash: expected },
      ]);
    },
  );

  test.each([[null], [{}], [{ messages_sent: 5 }]])("reads no message from %p", (receipt) => {
    expect(messagesToL1(receipt)).toEqual([]);
  });

  test("reads wrong types as zeros", () => {
    const [message] = messagesToL1({ messages_sent: [{ payload: "x", to_address: 7 }] });
    expect(message).toMatchObject({ from: "0x0", to: "0x0", payload: [] });
  });
});

describe("messageFromL1", () => {
  test.each(PAYLOADS.map((payload) => [payload]))(
    "reads sender, payload %p and hash of an L1 handler, equal to those of starknet.js",
    (payload) => {
      const expected = padded(
        hash.getL2MessageHash(L1, CONTRACT, SELECTOR, payload.map(BigInt), 8n),
      );
      expect(messageFromL1(handler(payload))).toEqual({
        from: L1,
        to: CONTRACT,
        payload: [...payload],
        hash: expected,
      });
    },
  );

  test("reads no message from an invoke", () => {
    expect(messageFromL1({ ...handler([]), type: "INVOKE" })).toBeUndefined();
  });
});

import { expect, test } from "bun:test";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";

const METHOD = "devnet_postmanConsumeMessageFromL2";
const PARAMS = { from_address: "0xc0", to_address: "0x7", payload: ["0x1"] };

test(`${METHOD} returns the message hash padded to 64 digits`, async () => {
  const consumed: unknown[] = [];
  const { context } = devnetWorld({
    consumeMessage(message) {
      consumed.push(message);
      return 0xabcn;
    },
  });
  expect(await askDevnet(METHOD, PARAMS, context)).toEqual({
    result: { message_hash: `0x${"abc".padStart(64, "0")}` },
  });
  expect(consumed).toEqual([{ fromAddress: 0xc0n, toAddress: 7n, payload: [1n] }]);
});

test(`${METHOD} rejects an unknown message`, async () => {
  const { context } = devnetWorld({ consumeMessage: () => undefined });
  expect(await askDevnet(METHOD, PARAMS, context)).toEqual({
    error: { code: -1, message: "Message is fully consumed or does not exist." },
  });
  expect(await refusedPath(METHOD, { ...PARAMS, to_address: `0x1${"0".repeat(40)}` })).toBe(
    "to_address",
  );
  expect(await refusedPath(METHOD, { ...PARAMS, payload: "0x1" })).toBe("payload");
});

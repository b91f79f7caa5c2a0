import { expect, test } from "bun:test";
import { transfersOf } from "#api/explorer/page/decode/transfers.ts";

// Source: selector of the ERC-20 interface in Starknet's documentation of tokens.
const TRANSFER = "0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9";
const receipt = (keys: string[], data: string[]) => ({
  events: [{ from_address: "0x07", keys: [TRANSFER, ...keys], data }],
});

test.each([
  ["a new ERC-20", receipt(["0x1", "0x2"], ["0x3", "0x1"]), (1n << 128n) + 3n, false],
  ["an old ERC-20", receipt([], ["0x1", "0x2", "0x3", "0x0"]), 3n, false],
  ["an old token with amounts of one felt", receipt([], ["0x1", "0x2", "0x3"]), 3n, false],
  ["a new ERC-721", receipt(["0x1", "0x2", "0x3", "0x0"], []), 3n, true],
  ["an ERC-721 with ids of one felt in the keys", receipt(["0x1", "0x2", "0x3"], []), 3n, true],
  ["an ERC-721 with the id in the data", receipt(["0x1", "0x2"], ["0x3", "0x0"]), 3n, false],
])("reads the transfer of %s", (_, one, value, isNft) => {
  expect(transfersOf(one)).toEqual([{ token: "0x7", from: "0x1", to: "0x2", value, isNft }]);
});

test.each([
  ["fewer felts", receipt(["0x1"], ["0x2"])],
  ["more felts", receipt(["0x1", "0x2"], ["0x3", "0x4", "0x5"])],
  ["a limb above 128 bits", receipt(["0x1", "0x2"], ["0x3", `0x1${"0".repeat(32)}`])],
  ["another event", { events: [{ keys: ["0x1"], data: ["0x1", "0x2", "0x3"] }] }],
  ["no list", { events: 5 }],
  ["no receipt", null],
])("reads no transfer from %s", (_, one) => {
  expect(transfersOf(one)).toEqual([]);
});

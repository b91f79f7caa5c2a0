import { expect, test } from "bun:test";
import { tokenTransferOf } from "#services/explorer-index/index.ts";
import { TRANSFER } from "#test/helpers/explorer-blocks.ts";

const TOKEN = 0x70c;
const [FROM, TO, LOW, HIGH] = [0xfn, 0x7n, 5n, 1n];
const VALUE = 5n + (1n << 128n);
const parties = { token: BigInt(TOKEN), from: FROM, to: TO };
const of = (keys: readonly bigint[], data: readonly bigint[]) =>
  tokenTransferOf({ fromAddress: BigInt(TOKEN), keys, data });

test("reads a fungible transfer with its holders in the keys", () => {
  expect(of([TRANSFER, FROM, TO], [LOW, HIGH])).toEqual({
    ...parties,
    kind: "fungible",
    amount: VALUE,
  });
});

test("reads a fungible transfer that has everything in the data", () => {
  expect(of([TRANSFER], [FROM, TO, LOW, HIGH])).toEqual({
    ...parties,
    kind: "fungible",
    amount: VALUE,
  });
});

test("reads the transfer of an NFT, whose id is in the keys", () => {
  expect(of([TRANSFER, FROM, TO, LOW, HIGH], [])).toEqual({
    ...parties,
    kind: "nft",
    tokenId: VALUE,
  });
});

test.each([
  ["another event", [TRANSFER + 1n, FROM, TO], [LOW, HIGH]],
  ["no keys", [], [FROM, TO, LOW, HIGH]],
  ["too little data", [TRANSFER, FROM, TO], [LOW]],
  ["too much data", [TRANSFER, FROM, TO], [LOW, HIGH, 0n]],
  ["a recipient in the data only", [TRANSFER, FROM], [TO, LOW, HIGH]],
  ["a half above 128 bits", [TRANSFER, FROM, TO], [1n << 128n, 0n]],
] as const)("takes %s for no transfer", (_, keys, data) => {
  expect(of(keys, data)).toBeUndefined();
});

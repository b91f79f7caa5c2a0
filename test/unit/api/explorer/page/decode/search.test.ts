import { expect, test } from "bun:test";
import { lookupsOf } from "#api/explorer/page/decode/search.ts";

const kindsOf = (text: string) => lookupsOf(text).map(({ kind, id }) => `${kind} ${id}`);

test.each([
  [" 12,345 ", ["block 12345", "name 12345"]],
  ["0", ["block 0", "name 0"]],
  [
    "0x00AB",
    ["transaction 0xab", "block 0xab", "contract 0xab", "class 0xab", "l1 0xab", "selector 0xab"],
  ],
  [
    "9007199254740992",
    [
      "transaction 0x20000000000000",
      "block 0x20000000000000",
      "contract 0x20000000000000",
      "class 0x20000000000000",
      "l1 0x20000000000000",
      "selector 0x20000000000000",
      "name 9007199254740992",
    ],
  ],
  [
    "transfer",
    [
      "name transfer",
      "selector 0x83afd3f4caedc6eebf44246fe54e38c95e3179a5ec9ea81740eca5b482d12e",
      "text 0x7472616e73666572",
    ],
  ],
  ["'no go'", ["name 'no go'", "text 0x6e6f20676f"]],
  ["ünlesbar", ["name ünlesbar"]],
  ["0xgg", []],
  [`0x${"1".repeat(65)}`, []],
  ["9".repeat(100), [`name ${"9".repeat(100)}`]],
  ["   ", []],
  ["a".repeat(1_000_000), []],
])("looks up %p", (text, lookups) => {
  expect(kindsOf(text)).toEqual(lookups);
});

test("names the request that says whether a block exists", () => {
  expect(lookupsOf("7")[0]?.call).toEqual({
    method: "starknet_getBlockTransactionCount",
    params: { block_id: { block_number: 7 } },
  });
});

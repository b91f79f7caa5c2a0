import { describe, expect, test } from "bun:test";
import { hash } from "starknet";
import type { SierraClass } from "#protocol/chain/index.ts";
import { minterKeys, tokenMetadata } from "#services/sequencer/token-variables.ts";

const keyOf = (name: string): bigint => BigInt(hash.getSelectorFromName(name));
const NAME = keyOf("ERC20_name");
const SYMBOL = keyOf("ERC20_symbol");
const DECIMALS = keyOf("ERC20_decimals");

/** A token of a class with this ABI. */
function token(abi: string, storesByteArrays = false) {
  const EMPTY = { EXTERNAL: [], L1_HANDLER: [], CONSTRUCTOR: [] };
  const contractClass: SierraClass = {
    kind: "sierra",
    sierraProgram: [],
    contractClassVersion: "0.1.0",
    entryPoints: EMPTY,
    abi,
  };
  return {
    bundled: { classHash: 1n, contractClass, casmJson: null },
    storesByteArrays: () => storesByteArrays,
  };
}

const functionName = (type: string) => ({ type: "function", name: "name", outputs: [{ type }] });
const FELT = JSON.stringify([functionName("core::felt252")]);
const BYTE_ARRAY = JSON.stringify([
  { type: "impl", name: "Other" },
  { type: "interface", name: "IMetadata", items: [functionName("core::byte_array::ByteArray")] },
]);

const short = new Map([
  [DECIMALS, 18n],
  [NAME, 0x537461726b6e657420546f6b656en],
  [SYMBOL, 0x5354524bn],
]);

/** Keys as in block 0 of starknet-devnet 0.10.1, whose tokens have such a class. */
const long = new Map([
  [DECIMALS, 18n],
  [0x341c1bdfd89f69748aa00b5742b03adbffd79b8e80cab5c50d91cd8c2a79be1n, 14n],
  [
    0x35b0c37f7f34be47076c6cfbcf811ad0769dbc81f4c509ee9613e0b0c648ca9n,
    0x537461726b6e657420546f6b656en,
  ],
  [0xb6ce5410fca59d078ee9b2a4371a9d684c530d697c64fbef0ae6d5e8f0ac72n, 4n],
  [0x1c789464ad40743bc8a10c1b00fb11a9c2a6fb9697600ed12f48df50a9cc740n, 0x5354524bn],
]);

describe("metadata of a fee token", () => {
  test.each([
    ["whose name is a felt", token(FELT), short],
    ["whose name is a felt, and which stores byte arrays", token(FELT, true), short],
    ["whose name is a byte array", token(BYTE_ARRAY), long],
    ["without ABI", token(""), short],
    ["without ABI that stores byte arrays", token("", true), long],
    ["whose ABI is no list", token("{}"), short],
    ["whose ABI has no function name", token('[1,{"items":2}]', true), long],
  ] as const)("of a class %s is stored in its variables", (_, read, expected) => {
    expect(tokenMetadata("strk", read)).toEqual(expected);
  });

  test("of a Cairo 0 class consists of short strings", () => {
    const bundled = { classHash: 1n, contractClass: { kind: "legacy", json: "" }, casmJson: null };
    const read = { bundled, storesByteArrays: () => false } as const;
    expect(tokenMetadata("eth", read as Parameters<typeof tokenMetadata>[1]).get(NAME)).toBe(
      0x4574686572n,
    );
  });
});

test("can have its minter at StarkGate's key for a token from a file", () => {
  expect(minterKeys({ kind: "builtin", builtin: "erc20" })).toEqual([
    keyOf("ERC20_permitted_minter"),
  ]);
  expect(minterKeys({ kind: "files", sierraPath: "/a", casmPath: null })).toEqual([
    keyOf("ERC20_permitted_minter"),
    // As in block 0 of starknet-devnet 0.10.1.
    0x1390569bb0a3a722eb4228e8700301347da081211d5c2ded2db22ef389551abn,
  ]);
});

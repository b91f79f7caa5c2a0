import { expect, test } from "bun:test";
import { eventsOf, functionOf, readAbi } from "#api/explorer/page/abi/abi.ts";
import { selectorOf } from "#api/explorer/page/abi/selector.ts";

const member = (name: string, kind: string) => ({ name, type: "core::felt252", kind });

/** Two components flat in the contract's events, and one nested twice. */
const ABI = readAbi([
  { type: "function", name: "transfer", inputs: [], outputs: [] },
  { type: "l1_handler", name: "deposit", inputs: [] },
  { type: "constructor", name: "constructor", inputs: [] },
  {
    type: "event",
    name: "a::erc20::Transfer",
    kind: "struct",
    members: [member("from", "key"), member("value", "data")],
  },
  {
    type: "event",
    name: "a::erc20::Event",
    kind: "enum",
    variants: [{ name: "Transfer", type: "a::erc20::Transfer", kind: "nested" }],
  },
  {
    type: "event",
    name: "a::token::Event",
    kind: "enum",
    variants: [
      { name: "ERC20Event", type: "a::erc20::Event", kind: "flat" },
      { name: "Inner", type: "a::erc20::Event", kind: "nested" },
    ],
  },
  { type: "event", name: "old", keys: [], data: [{ name: "x", type: "felt" }] },
]);

// Source: selectors of the ERC-20 interface in Starknet's documentation of tokens.
const TRANSFER_EVENT = "0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9";
const TRANSFER = "0x83afd3f4caedc6eebf44246fe54e38c95e3179a5ec9ea81740eca5b482d12e";

test("a flat variant adds no selector, and a nested one adds that of its name", () => {
  expect(ABI.events.map(({ name, selectors }) => [name, selectors])).toEqual([
    ["Transfer", [TRANSFER_EVENT]],
    ["Transfer", [selectorOf("Inner"), TRANSFER_EVENT]],
    ["old", [selectorOf("old")]],
  ]);
});

test("finds events by all selectors in their keys, in any spelling", () => {
  const spelled = TRANSFER_EVENT.toUpperCase().replace("0X", "0x0");
  expect(eventsOf(ABI, [spelled, "0x1"])).toHaveLength(1);
  expect(eventsOf(ABI, [selectorOf("Inner"), TRANSFER_EVENT])).toHaveLength(1);
  expect(eventsOf(ABI, [selectorOf("Inner"), "0x1"])).toEqual([]);
  expect(eventsOf(ABI, [])).toEqual([]);
});

test("finds functions, L1 handlers and the constructor by selector", () => {
  const names = [TRANSFER, selectorOf("deposit"), selectorOf("constructor"), "0x1"];
  expect(names.map((selector) => functionOf(ABI, selector)?.kind)).toEqual([
    "function",
    "l1_handler",
    "constructor",
    undefined,
  ]);
});

test("the default entry points of Cairo 0 have the selector 0", () => {
  expect(selectorOf("__default__")).toBe("0x0");
  expect(selectorOf("__l1_default__")).toBe("0x0");
});

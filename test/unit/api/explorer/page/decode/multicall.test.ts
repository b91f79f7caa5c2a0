import { describe, expect, test } from "bun:test";
import { readAbi } from "#api/explorer/page/abi/abi.ts";
import { selectorOf } from "#api/explorer/page/abi/selector.ts";
import { type CallNode, callTreeOf } from "#api/explorer/page/decode/call-tree.ts";
import { multicallOf, namedRunCall } from "#api/explorer/page/decode/multicall.ts";
import { functionOfNode, namedCall, namedNode } from "#api/explorer/page/decode/named-calls.ts";
import { namedEvent } from "#api/explorer/page/decode/named-event.ts";

const SELECTOR = selectorOf("f");
const call = (contract: string, more: object = {}) => ({
  contract_address: contract,
  class_hash: "0xc1",
  entry_point_selector: SELECTOR,
  call_type: "CALL",
  ...more,
});

function rootOf(trace: object): CallNode {
  const [phase] = callTreeOf({ execute_invocation: trace }).phases;
  if (phase === undefined) throw new TypeError("no phase");
  return phase.root;
}

const ABI = readAbi([
  {
    type: "function",
    name: "f",
    inputs: [{ name: "x", type: "core::integer::u8" }],
    outputs: [{ type: "core::bool" }],
  },
]);

describe("multicallOf", () => {
  test("matches each call with the call of the trace that ran it, in order, behind an account's proxy", () => {
    const execute = selectorOf("__execute__");
    const run = [
      call("0xa", { class_hash: "0x1" }),
      call("0xb"),
      call("0xa", { class_hash: "0x2" }),
    ];
    const delegated = call("0xacc", {
      entry_point_selector: execute,
      call_type: "DELEGATE",
      calls: run,
    });
    const root = rootOf(call("0xacc", { entry_point_selector: execute, calls: [delegated] }));
    const calldata = ["0x3", ...["0xa", "0xa", "0x9"].flatMap((to) => [to, SELECTOR, "0x0"])];
    const calls = multicallOf(calldata, root);
    expect(calls?.map(({ node }) => node?.classHash)).toEqual(["0x1", "0x2", undefined]);
  });

  test("has no node without a trace", () => {
    expect(multicallOf(["0x1", "0xa", SELECTOR, "0x0"], undefined)).toMatchObject([
      { to: "0xa", node: undefined, calls: [] },
    ]);
  });
});

describe("namedRunCall", () => {
  const abis = new Map([
    ["0xf0", readAbi([])],
    ["0xc1", ABI],
  ]);
  const target = { to: "0x0a", selector: SELECTOR, calldata: ["0x7"], calls: [] };

  test("decodes a call by the class that a proxy delegated to", () => {
    const node = rootOf(
      call("0xa", { class_hash: "0xf0", calls: [call("0xa", { call_type: "DELEGATE" })] }),
    );
    const { name, inputs } = namedRunCall({ ...target, node }, abis, new Map());
    expect([name, inputs.values[0]?.text]).toEqual(["f", "7"]);
  });

  test("decodes a call that did not run by the class of its contract", () => {
    const classes = new Map([["0xa", "0xc1"]]);
    expect(namedRunCall({ ...target, node: undefined }, abis, classes).name).toBe("f");
    expect(namedRunCall({ ...target, node: undefined }, abis, new Map()).name).toBeUndefined();
  });
});

describe("namedNode", () => {
  const proxied = rootOf(
    call("0xa", {
      class_hash: "0xf0",
      calldata: ["0x7"],
      result: ["0x1"],
      calls: [call("0xa", { call_type: "LIBRARY_CALL" })],
    }),
  );

  test("decodes a proxy's call by the class that it delegates to", () => {
    const abis = new Map([
      ["0xf0", readAbi([])],
      ["0xc1", ABI],
    ]);
    const { name, inputs, outputs } = namedNode(abis, proxied);
    expect([name, inputs.values[0]?.text, outputs.values[0]?.text]).toEqual(["f", "7", "true"]);
    expect(functionOfNode(abis, proxied)?.name).toBe("f");
  });

  test("returns felts for a call whose class is unknown", () => {
    const { name, inputs } = namedNode(new Map(), proxied);
    expect(name).toBeUndefined();
    expect(inputs).toMatchObject({ values: [], rest: ["0x7"] });
  });

  test("decodes no result of a reverted call", () => {
    const root = rootOf(call("0xa", { is_reverted: true, result: ["0x5"], calldata: ["0x7"] }));
    expect(namedNode(new Map([["0xc1", ABI]]), root).outputs.values).toEqual([]);
  });
});

test("namedCall returns the name of a function by its selector", () => {
  expect(namedCall(ABI, SELECTOR, ["0x1"], []).name).toBe("f");
  expect(namedCall(undefined, SELECTOR, ["0x1"], []).name).toBeUndefined();
});

test("namedEvent prefers the event of the same name that the felts fit", () => {
  const struct = (path: string, ...types: string[]) => ({
    type: "event",
    name: path,
    kind: "struct",
    members: types.map((type, i) => ({ name: `m${i}`, type, kind: "data" })),
  });
  const abi = readAbi([
    struct("a::E", "core::felt252", "core::felt252"),
    struct("b::E", "core::felt252"),
  ]);
  expect(namedEvent(abi, [selectorOf("E")], ["0x1"])).toMatchObject({
    path: "b::E",
    problem: null,
  });
  expect(namedEvent(abi, [selectorOf("E")], [])).toMatchObject({
    path: "a::E",
    problem: "the felts end before the last value",
  });
  expect(namedEvent(abi, ["0x1"], [])).toBeUndefined();
});

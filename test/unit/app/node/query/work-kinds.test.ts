import { describe, expect, test } from "bun:test";
import { submissionKind, workKindOf } from "#app/node/query/work-kinds.ts";

/** Contracts 0x1 and 0x2 have one class. */
const classHashAt = (address: bigint): bigint => (address <= 2n ? 0xc1a55n : address);

const kindOf = (method: string, params: unknown): string =>
  workKindOf(method, JSON.stringify(params), classHashAt).kind;

const callOf = (to: string, selector: string, calldata: readonly string[] = []) => ({
  contract_address: to,
  entry_point_selector: selector,
  calldata,
});

const invokeOf = (sender: string, calldata: readonly string[]) => ({
  sender_address: sender,
  calldata,
});

describe("calls have the same kind", () => {
  const first = kindOf("call", [callOf("0x1", "0x7"), "latest"]);

  test.each([
    ["of contracts of one class", [callOf("0x2", "0x7"), "latest"]],
    ["with other calldata", [callOf("0x1", "0x7", ["0x1"]), "latest"]],
    ["on another block", [callOf("0x1", "0x7"), { block_number: 1 }]],
    ["with named parameters", { block_id: "latest", request: callOf("0x1", "0x7") }],
    ["in another encoding", [callOf("0x0001", "0x07"), "latest"]],
  ])("%s", (_, params) => {
    expect(kindOf("call", params)).toBe(first);
  });

  test.each([
    ["another function", [callOf("0x1", "0x8"), "latest"]],
    ["another class", [callOf("0x3", "0x7"), "latest"]],
  ])("but not for %s", (_, params) => {
    expect(kindOf("call", params)).not.toBe(first);
  });
});

describe("at the feeder gateway", () => {
  test("calls of one function share a kind, also with JSON-RPC calls", () => {
    const first = kindOf("call", [callOf("0x1", "0x7"), "latest"]);
    expect(kindOf("feederCall", [null, null, "0x2", "0x7", ["0x1"]])).toBe(first);
    expect(kindOf("feederCall", [4, "0xb10c", "0x1", "0x7", ["0x2"]])).toBe(first);
    expect(kindOf("feederCall", [null, null, "0x1", "0x8", []])).not.toBe(first);
    expect(kindOf("feederCall", [null, null, "0x3", "0x7", []])).not.toBe(first);
  });

  test("a class has one kind, whatever block is named", () => {
    const getClass = kindOf("getClass", ["latest", "0xc1a55"]);
    expect(kindOf("contractClass", ["0xc1a55", null])).toBe(getClass);
    expect(kindOf("contractClass", ["0xc1a55", 7])).toBe(getClass);
    const compiled = kindOf("compiledClass", ["0xc1a55", null]);
    expect(kindOf("compiledClass", ["0xc1a55", 7])).toBe(compiled);
    expect(compiled).not.toBe(getClass);
    expect(kindOf("compiledClass", ["0xc1a56", null])).not.toBe(compiled);
  });
});

test("a message has the kind of its handler", () => {
  const message = { to_address: "0x1", entry_point_selector: "0x7", payload: ["0x1"] };
  const other = { to_address: "0x2", entry_point_selector: "0x7", payload: ["0x2"] };
  const kind = kindOf("estimateMessageFee", [message, "latest"]);
  expect(kind).toBe(kindOf("estimateMessageFee", { message: other, block_id: "latest" }));
  expect(kind).not.toBe(kindOf("call", [callOf("0x1", "0x7"), "latest"]));
});

describe("estimates and simulations", () => {
  const transfer = ["0x1", "0x49d", "0x83a", "0x3"];

  test("have a kind by sender, first call and approximate count", () => {
    const of = (count: number, sender: string, calldata: readonly string[]) =>
      kindOf("estimateFee", [Array(count).fill(invokeOf(sender, calldata)), [], "latest"]);
    expect(of(100, "0x1", transfer)).toBe(of(70, "0x01", transfer));
    expect(of(100, "0x1", transfer)).not.toBe(of(1, "0x1", transfer));
    expect(of(1, "0x1", transfer)).not.toBe(of(1, "0x2", transfer));
    expect(of(1, "0x1", transfer)).not.toBe(of(1, "0x1", ["0x1", "0x49d", "0x83b", "0x3"]));
  });

  test("are recognized in each method's parameters", () => {
    const list = [invokeOf("0x1", transfer)];
    const simulated = kindOf("simulateTransactions", ["latest", list, []]);
    const other = kindOf("simulateTransactions", {
      block_id: { block_number: 1 },
      transactions: list,
      simulation_flags: [],
    });
    expect(simulated).toBe(other);
  });
});

test("a class has one kind, requested by hash or by contract", () => {
  const byHash = kindOf("getClass", ["latest", "0xc1a55"]);
  expect(kindOf("getClassAt", ["latest", "0x2"])).toBe(byHash);
  expect(kindOf("getClassAt", { contract_address: "0x1", block_id: "latest" })).toBe(byHash);
  expect(kindOf("getClass", ["latest", "0xc1a56"])).not.toBe(byHash);
});

describe("the kind of other work", () => {
  test("differs for every query", () => {
    const trace = (hash: string) => kindOf("traceTransaction", [hash]);
    expect(trace("0x1")).toBe(trace("0x1"));
    expect(trace("0x1")).not.toBe(trace("0x2"));
    expect(trace("0x1")).not.toBe(kindOf("getEvents", ["0x1"]));
  });

  test.each([
    [{}],
    [[]],
    [[null]],
    [["0x1"]],
    [[{ contract_address: 5, entry_point_selector: "0x1" }]],
    [[{ contract_address: "0x", entry_point_selector: "0x1" }]],
  ])("is defined for parameters that do not fit: %j", (params) => {
    const methods = ["call", "estimateFee", "simulateTransactions", "getClass", "getClassAt"];
    const kinds = methods.map((method) => kindOf(method, params));
    expect(new Set(kinds).size).toBe(methods.length);
    expect(kindOf("estimateMessageFee", params)).toContain("estimateMessageFee");
  });

  test("depends on the length for very long parameters and malformed JSON", () => {
    const of = (length: number) => workKindOf("call", "x".repeat(length), classHashAt);
    expect(of(100_000).kind).toBe(of(100_001).kind);
    expect(of(100_000).kind).not.toBe(of(300_000).kind);
    expect(of(100_000).exact).not.toBe(of(100_001).exact);
    expect(of(3).kind).toBe(of(3).kind);
  });
});

test("depends on the approximate size for submissions", () => {
  expect(submissionKind("prepare", 1_000)).toEqual(submissionKind("prepare", 900));
  expect(submissionKind("prepare", 1_000)).not.toEqual(submissionKind("prepare", 5_000));
  expect(submissionKind("prepare", 1_000)).not.toEqual(submissionKind("validate", 1_000));
});

import { describe, expect, test } from "bun:test";
import { selectorOf } from "#api/explorer/page/abi/selector.ts";
import { callsOf, nestedCallsOf, outsideCallsOf } from "#api/explorer/page/decode/calls.ts";

const CALLS = [
  { to: "0xa", selector: "0xb", calldata: ["0x1", "0x2"] },
  { to: "0xc", selector: "0xd", calldata: [] },
];
const CAIRO_1 = ["0x2", "0xa", "0xb", "0x2", "0x1", "0x2", "0xc", "0xd", "0x0"];
const CAIRO_0 = [
  "0x2",
  "0xa",
  "0xb",
  "0x0",
  "0x2",
  "0xc",
  "0xd",
  "0x2",
  "0x0",
  "0x2",
  "0x1",
  "0x2",
];

describe("callsOf", () => {
  test.each([
    ["Cairo 1", CAIRO_1],
    ["Cairo 0", CAIRO_0],
    ["Cairo 0 with the nonce of version 0", [...CAIRO_0, "0x7"]],
  ])("reads the calls of %s", (_, calldata) => {
    expect(callsOf(calldata)).toEqual(CALLS);
  });

  test.each([
    ["nothing", []],
    ["felts after the calls", [...CAIRO_1, "0x0"]],
    ["felts that end early", CAIRO_1.slice(0, -1)],
    ["more calls than felts", ["0xffffffff", "0x1"]],
    ["a number of calls that is no length", [`0x${"f".repeat(63)}`]],
    ["an offset beyond the calldata", ["0x1", "0xa", "0xb", "0x5", "0x2", "0x0"]],
  ])("returns undefined for %s", (_, calldata) => {
    expect(callsOf(calldata)).toBeUndefined();
  });

  test("bounds calls that share their calldata", () => {
    const size = 4_000;
    const call = ["0xa", "0xb", "0x0", `0x${size.toString(16)}`];
    const felts = Array.from({ length: size }, () => "0x1");
    const calls = Array.from({ length: size }, () => call).flat();
    expect(callsOf([call[3] ?? "", ...calls, call[3] ?? "", ...felts])).toBeUndefined();
  });
});

describe("nestedCallsOf", () => {
  // Source: SNIP-9; caller, nonce, execute after, execute before, calls, signature.
  test.each([
    ["execute_from_outside", ["0x1", "0x2", "0x3", "0x4"]],
    ["execute_from_outside_v2", ["0x1", "0x2", "0x3", "0x4"]],
    ["execute_from_outside_v3", ["0x1", "0x2", "0x2", "0x3", "0x4"]],
  ])("reads the calls that %s has", (name, before) => {
    const inner = [...before, ...CAIRO_1, "0x1", "0x99"];
    const outer = ["0x1", "0xe", selectorOf(name), `0x${inner.length.toString(16)}`, ...inner];
    expect(nestedCallsOf(outer)).toEqual([
      {
        to: "0xe",
        selector: selectorOf(name),
        calldata: inner,
        calls: CALLS.map((call) => ({ ...call, calls: [] })),
      },
    ]);
  });

  test("takes other felts after the calls than a signature for no calls", () => {
    const calldata = ["0x1", "0x2", "0x3", "0x4", ...CAIRO_1, "0x2", "0x99"];
    expect(
      outsideCallsOf({ selector: selectorOf("execute_from_outside"), calldata }),
    ).toBeUndefined();
  });
});

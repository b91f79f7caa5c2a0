import { describe, expect, test } from "bun:test";
import { errorOf } from "#test/helpers/rpc.ts";
import { shorten, showValue, valueAt } from "#api/rpc/offending-value.ts";

describe("offending value", () => {
  for (const [value, shown] of [
    ["pending", 'text "pending"'],
    ["a\nb\u0000", 'text "a\\nb\\u0000"'],
    [-1, "number -1"],
    [2n ** 64n, "number 18446744073709551616"],
    [null, "null"],
    [true, "true"],
    [undefined, "nothing"],
    [[1, 2], "array of 2"],
    [{}, "empty object"],
    [{ a: 1, b: 2 }, "object with a, b"],
    [{ a: 1, b: 2, c: 3, d: 4, e: 5 }, "object with a, b, c, d, …"],
  ] as const) {
    test(`is shown as ${shown}`, () => {
      expect(showValue(value)).toBe(shown);
    });
  }

  for (const [what, value] of [
    ["text", "\u0001".repeat(5_000_000)],
    ["a number", 10n ** 1000n],
    ["a member name", { ["k".repeat(5_000_000)]: 1 }],
  ] as const) {
    test(`is shown within one line if it is ${what} of any length`, () => {
      expect(showValue(value).length).toBeLessThan(120);
    });
  }

  test("is shown whole if it is a felt", () => {
    const felt = `0x${"f".repeat(64)}`;
    expect(shorten(felt)).toBe(felt);
  });

  for (const [method, params, got] of [
    ["getBlockWithTxHashes", ["pending"], 'text "pending"'],
    ["getBlockWithTxHashes", [{ block_number: -1 }], "number -1"],
    ["getBlockWithTxHashes", { block_id: "latest", blok: 5 }, "number 5"],
    ["getBlockWithTxHashes", [], "nothing"],
    ["getTransactionByHash", ["0xg"], 'text "0xg"'],
    ["blockNumber", [17], "number 17"],
  ] as const) {
    test(`is in the error data of ${method} with ${JSON.stringify(params)}`, async () => {
      expect(await errorOf(method, params)).toMatchObject({ code: -32602, data: { got } });
    });
  }

  test("is shown with its path if it is nested", async () => {
    const request = { contract_address: "0x1", entry_point_selector: "0x2", calldata: ["0x1", 7] };
    expect(await errorOf("call", [request, "latest"])).toMatchObject({
      data: { path: "request.calldata[1]", got: "number 7" },
    });
  });
});

describe("valueAt", () => {
  const root = { a: [{ b: 1 }, [2]], "": 3 };
  for (const [path, value] of [
    ["", root],
    [".a[0].b", 1],
    ["a[1][0]", 2],
    ["a[7]", undefined],
    ["a.b", undefined],
    ["__proto__", undefined],
  ] as const) {
    test(`resolves ${path === "" ? "(itself)" : path}`, () => {
      expect(valueAt(root, path)).toEqual(value as never);
    });
  }
});

import { expect, test } from "bun:test";
import { rpcErrorText } from "#app/cli/rpc-error-text.ts";

test("prints data with a line per member, and multi-line text", () => {
  const error = {
    code: 41,
    message: "Transaction execution error",
    data: {
      transaction_index: 18446744073709551615n,
      execution_error: {
        contract_address: "0x1",
        class_hash: "0x2",
        error: "Execution failed\n\n  at pc 5\n",
        empty: {},
        list: ["a", ["b", 1], { c: null }, "d\ne"],
      },
    },
  };
  expect(rpcErrorText(error).split("\n")).toEqual([
    "error 41: Transaction execution error",
    "  transaction_index: 18446744073709551615",
    "  execution_error:",
    "    contract_address: 0x1",
    "    class_hash: 0x2",
    "    error:",
    "      Execution failed",
    "",
    "        at pc 5",
    "    empty:",
    "    list:",
    "      - a",
    "      -",
    "        - b",
    "        - 1",
    "      -",
    "        c: null",
    "      -",
    "        d",
    "        e",
  ]);
});

test("prints text data below the message, and nothing without data", () => {
  expect(rpcErrorText({ code: 40, message: "Contract error", data: "a\nb" })).toBe(
    "error 40: Contract error\n  a\n  b",
  );
  for (const data of [null, "", {}, []]) {
    expect(rpcErrorText({ code: 24, message: "Block not found", data }).trimEnd()).toBe(
      "error 24: Block not found",
    );
  }
});

test("escapes everything that a hostile node sends", () => {
  const text = rpcErrorText({
    code: "1\u001b[2J",
    message: "m\nerror 0: ok",
    data: { "a\nb\u202e": "x\r\u009by" },
  });
  expect(text).toBe("error 1\\u{1b}[2J: m\\nerror 0: ok\n  a\\nb\\u{202e}: x\\u{d}\\u{9b}y");
});

test("prints a malformed error object as JSON", () => {
  for (const error of ["text", 5, [1], { code: 1 }]) {
    expect(JSON.parse(rpcErrorText(error))).toEqual(error as never);
  }
});

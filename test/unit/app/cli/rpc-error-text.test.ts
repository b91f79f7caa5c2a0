import { expect, test } from "bun:test";
import { rpcErrorText } from "#app/cli/rpc-error-text.ts";

test("data is a line per member, texts as they are", () => {
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

test("text data stands below the message; no data, nothing", () => {
  expect(rpcErrorText({ code: 40, message: "Contract error", data: "a\nb" })).toBe(
    "error 40: Contract error\n  a\n  b",
  );
  for (const data of [null, "", {}, []]) {
    expect(rpcErrorText({ code: 24, message: "Block not found", data }).trimEnd()).toBe(
      "error 24: Block not found",
    );
  }
});

test("nothing that a hostile node sends acts on the terminal or looks like another line", () => {
  const text = rpcErrorText({
    code: "1\u001b[2J",
    message: "m\nerror 0: ok",
    data: { "a\nb\u202e": "x\r\u009by" },
  });
  expect(text).toBe("error 1\\u{1b}[2J: m\\nerror 0: ok\n  a\\nb\\u{202e}: x\\u{d}\\u{9b}y");
});

test("what is no error object is shown as JSON", () => {
  for (const error of ["text", 5, [1], { code: 1 }]) {
    expect(JSON.parse(rpcErrorText(error))).toEqual(error as never);
  }
});

import { describe, expect, test } from "bun:test";
import { MAX_METHOD_LIMITS } from "#api/rpc/limits/method-limits.ts";
import { transactionsToRun } from "#api/rpc/methods/transactions-to-run.ts";
import { InvalidParamsError } from "#api/rpc/decode-params.ts";
import { fail } from "#api/rpc/errors.ts";
import { errorOf } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { METHOD_LIMITS } from "#test/helpers/serving.ts";

const context = (maxTransactions?: number) => ({
  ...sampleContext(),
  ...(maxTransactions === undefined ? {} : { limits: { ...METHOD_LIMITS, maxTransactions } }),
});

/** Transactions of an unsupported version. */
const unsupported = (count: number) =>
  Array.from({ length: count }, () => ({ kind: "unsupported", version: "0x9" }) as const);

const problem = (count: number, maxTransactions?: number): string => {
  try {
    transactionsToRun(context(maxTransactions), "request", unsupported(count), fail);
    return "";
  } catch (error) {
    return error instanceof InvalidParamsError ? error.message : "another error";
  }
};

describe("transactions of one estimate or simulation", () => {
  test("are limited to the node's maximum, and the error names the parameter", () => {
    const { maxTransactions } = METHOD_LIMITS;
    expect(problem(maxTransactions)).toContain("request[0].version");
    const refusal = `request: expected array of at most ${maxTransactions} transactions`;
    expect(problem(maxTransactions + 1)).toBe(refusal);
    expect(problem(3, 3)).toContain("request[0].version");
    expect(problem(4, 3)).toBe("request: expected array of at most 3 transactions");
  });

  test("are limited to the maximum of any configuration", async () => {
    const { maxTransactions } = MAX_METHOD_LIMITS;
    for (const [method, params] of [
      ["estimateFee", [Array(maxTransactions + 1).fill({}), [], "latest"]],
      ["simulateTransactions", ["latest", Array(maxTransactions + 1).fill({}), []]],
    ] as const) {
      const error = await errorOf(method, params, context(maxTransactions));
      expect(error).toMatchObject({
        code: -32602,
        data: { expected: `array of at most ${maxTransactions} transactions` },
      });
    }
  });
});

describe("getEvents filter", () => {
  const limits = { ...METHOD_LIMITS, maxEventsChunk: 5, maxEventKeys: 3 };
  const ask = (filter: object, more = { limits }) =>
    errorOf("getEvents", [filter as never], { ...sampleContext(), ...more });

  test("rejects a chunk size above the node's maximum", async () => {
    expect(await ask({ chunk_size: 6 })).toMatchObject({
      code: 31,
      data: "filter.chunk_size: at most 5, not 6",
    });
  });

  test("rejects more keys than the node's maximum", async () => {
    const keys = [["0x1"], ["0x2"]];
    expect(await ask({ chunk_size: 5, keys })).toMatchObject({
      code: 34,
      data: "filter.keys: at most 3 positions and alternatives, not 4",
    });
  });
});

import { executeQuery } from "#test/helpers/execute-query.ts";
import { describe, expect, test } from "bun:test";
import { Caller, createMethodTables, type QueryPool } from "#api/rpc/index.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { respondTo, requestText, failing } from "#test/helpers/dispatch.ts";
import { SILENT } from "#test/helpers/serving.ts";

const [newest] = createMethodTables();

describe("response size limit", () => {
  for (const where of ["on the main thread", "on a query thread"]) {
    test(`turns a response made ${where} into an error with the request's id`, async () => {
      const queryPool: QueryPool | undefined =
        where === "on the main thread"
          ? undefined
          : {
              run: (_, name, params) => executeQuery(newest, sampleContext(), name, params, SILENT),
            };
      const members = { method: "starknet_getBlockWithTxs", params: ["latest"] };
      const options = {
        limits: { maxResponseBytes: 200 },
        ...(queryPool === undefined ? {} : { queryPool }),
      };
      expect(await respondTo(requestText(members), options)).toEqual({
        jsonrpc: "2.0",
        id: 7,
        error: {
          code: -32003,
          message: "Response too large",
          data: "the response would be longer than 200 bytes: request less at a time",
        },
      });
    });
  }

  test("allows a response of exactly the limit", async () => {
    const members = { method: "starknet_specVersion" };
    const bytes = '{"result":"0.10.2"}'.length;
    const at = (maxResponseBytes: number) =>
      respondTo(requestText(members), { limits: { maxResponseBytes } });
    expect(await at(bytes)).toMatchObject({ result: "0.10.2" });
    expect(await at(bytes - 1)).toMatchObject({ error: { code: -32003 } });
  });
});

describe("unexpected error", () => {
  test("returns only a log id to the caller", async () => {
    expect(await respondTo(requestText({}), { context: failing })).toEqual({
      jsonrpc: "2.0",
      id: 7,
      error: {
        code: -32603,
        message: "Internal error",
        data: { log_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      },
    });
  });

  test("is reported to the observer under the same log id", async () => {
    const seen: unknown[] = [];
    const observer = {
      started: () => undefined,
      finished: () => undefined,
      internalError: (...args: unknown[]) => seen.push(...args),
    };
    const response = await respondTo(requestText({}), { context: failing, observer });
    const { error } = response as { error: { data: { log_id: string } } };
    expect(seen).toEqual(["blockNumber", error.data.log_id, expect.any(RangeError)]);
  });
});

describe("observer", () => {
  for (const [what, members, ok, code] of [
    ["a response", {}, true, undefined],
    ["an error", { method: "starknet_getNonce" }, false, -32602],
  ] as const) {
    test(`sees start and end of ${what}`, async () => {
      const seen: unknown[] = [];
      const observer = {
        started: (method: string) => seen.push(["started", method]),
        finished: (method: string, success: boolean, seconds: number, errorCode?: number) =>
          seen.push(["finished", method, success, seconds >= 0, errorCode]),
        internalError: () => undefined,
      };
      await respondTo(requestText(members), { observer });
      const name = "method" in members ? "getNonce" : "blockNumber";
      expect(seen).toEqual([
        ["started", name],
        ["finished", name, ok, true, code],
      ]);
    });
  }
});

describe("observer of a query", () => {
  test("sees the error code in a response of bytes", async () => {
    const codes: unknown[] = [];
    const observer = {
      started: () => undefined,
      finished: (_method: string, _ok: boolean, _seconds: number, code?: number) =>
        void codes.push(code),
      internalError: () => undefined,
    };
    for (const text of [
      '{"error":{"code":24,"message":"Block not found"}}',
      '{"result":{"code":24}}',
    ]) {
      const pool = { run: () => Promise.resolve(new TextEncoder().encode(text)) };
      const call = requestText({ method: "starknet_call", params: [] });
      await respondTo(call, { observer, queryPool: pool });
    }
    expect(codes).toEqual([24, undefined]);
  });
});

describe("query pool", () => {
  /** Pool that runs queries like a query thread. */
  const workerPool: QueryPool = {
    run: (_version, method, params) =>
      executeQuery(newest, sampleContext(), method, params, SILENT),
  };
  const call = { method: "starknet_getBlockWithTxHashes", params: { block_id: "latest" } };

  test("responds like the main thread", async () => {
    expect(await respondTo(requestText(call), { queryPool: workerPool })).toEqual(
      await respondTo(requestText(call)),
    );
  });

  test("responds with the same error as the main thread", async () => {
    const bad = { ...call, params: [{ block_number: 99 }] };
    expect(await respondTo(requestText(bad), { queryPool: workerPool })).toEqual(
      await respondTo(requestText(bad)),
    );
  });

  test("receives the version, the method and the parameters as text", async () => {
    const seen: unknown[] = [];
    const queryPool: QueryPool = {
      run(...args) {
        seen.push(args);
        return Promise.resolve(new TextEncoder().encode('{"result":{"a":1}}'));
      },
    };
    expect(await respondTo(requestText(call), { queryPool })).toMatchObject({ result: { a: 1 } });
    const [params, caller] = ['{"block_id":"latest"}', expect.any(Caller)];
    expect(seen).toEqual([["0.10.2", "getBlockWithTxHashes", params, caller]]);
  });

  test("is not used for point reads", async () => {
    const queryPool: QueryPool = { run: () => Promise.reject(new RangeError("asked")) };
    expect(await respondTo(requestText({}), { queryPool })).toMatchObject({ result: 1 });
  });

  test("combines with main thread responses in a batch", async () => {
    const body = `[${requestText({ id: 1 })},${requestText({ ...call, id: 2 })}]`;
    expect(await respondTo(body, { queryPool: workerPool })).toMatchObject([
      { id: 1, result: 1 },
      { id: 2, result: { block_number: 1 } },
    ]);
  });

  test("causes an internal error when it fails", async () => {
    const queryPool: QueryPool = { run: () => Promise.reject(new RangeError("died")) };
    expect(await respondTo(requestText(call), { queryPool })).toMatchObject({
      error: { code: -32603 },
    });
  });

  test("responds to an unknown method with an error instead of rejecting", async () => {
    const bytes = await executeQuery(newest, sampleContext(), "nothing", "[]", SILENT);
    expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({ error: { code: -32601 } });
  });
});

import { describe, expect, test } from "bun:test";
import {
  createMethodTables,
  executeQuery,
  type QueryPool,
  type RpcContext,
} from "#api/rpc/index.ts";
import { INVOKE } from "#test/helpers/broadcasted.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { createDispatcher, type DispatchOptions } from "#api/rpc/dispatch.ts";

const [newest] = createMethodTables();

/** The parsed response to a body; `undefined` when there is none. */
async function respond(body: string, options: Partial<DispatchOptions> = {}): Promise<unknown> {
  const dispatcher = createDispatcher({ context: sampleContext(), ...options });
  const response = await dispatcher.handle(body, newest);
  if (response === undefined) return undefined;
  return JSON.parse(typeof response === "string" ? response : new TextDecoder().decode(response));
}

const request = (members: Record<string, unknown>): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 7, method: "starknet_blockNumber", ...members });

const failing: RpcContext = {
  ...sampleContext(),
  get chain(): never {
    throw new RangeError("disk image is malformed at SELECT secret");
  },
};

describe("a request", () => {
  test("is answered with its id", async () => {
    expect(await respond(request({}))).toEqual({ jsonrpc: "2.0", id: 7, result: 1 });
  });

  for (const id of ["text", 0, -1, 1.5, null, ""]) {
    test(`may have the id ${JSON.stringify(id)}`, async () => {
      expect(await respond(request({ id }))).toMatchObject({ id, result: 1 });
    });
  }

  test("keeps every digit of a long id", async () => {
    const dispatcher = createDispatcher({ context: sampleContext() });
    const body = '{"jsonrpc":"2.0","id":12345678901234567890,"method":"starknet_blockNumber"}';
    expect(await dispatcher.handle(body, newest)).toContain('"id":12345678901234567890,');
  });

  for (const id of ["1e400", "-1e400", "1e-400", "0.1234567890123456789", "9".repeat(2_000)]) {
    test(`with the id ${id.slice(0, 24)} is refused, not answered with another id`, async () => {
      const body = `{"jsonrpc":"2.0","id":${id},"method":"starknet_blockNumber"}`;
      expect(await respond(body)).toEqual({
        jsonrpc: "2.0",
        id: null,
        error: {
          code: -32600,
          message: "Invalid request",
          data: expect.stringContaining(`got ${id.slice(0, 24)}`),
        },
      });
    });
  }

  for (const params of [undefined, [], {}, null]) {
    test(`may have the parameters ${JSON.stringify(params)} where there are none`, async () => {
      expect(await respond(request({ params }))).toMatchObject({ result: 1 });
    });
  }

  test("may use the prefix of the interface document", async () => {
    expect(await respond(request({ method: "chain_blockNumber" }))).toMatchObject({ result: 1 });
  });

  test("without id is a notification and gets no response", async () => {
    expect(await respond(request({ id: undefined }))).toBeUndefined();
  });
});

describe("a broken request", () => {
  for (const body of ["", "{", "nonsense", '{"jsonrpc":"2.0",}']) {
    test(`${JSON.stringify(body)} is a parse error`, async () => {
      expect(await respond(body)).toMatchObject({ id: null, error: { code: -32700 } });
    });
  }

  for (const [what, body] of [
    ["a number", "1"],
    ["text", '"x"'],
    ["an empty batch", "[]"],
    ["no version", '{"id":1,"method":"starknet_blockNumber"}'],
    ["an old version", '{"jsonrpc":"1.0","id":1,"method":"starknet_blockNumber"}'],
    ["no method", '{"jsonrpc":"2.0","id":1}'],
    ["a method that is no text", '{"jsonrpc":"2.0","id":1,"method":1}'],
    ["parameters that are text", request({ params: "latest" })],
    ["an object as id", request({ id: {} })],
  ] as const) {
    test(`${what} is an invalid request`, async () => {
      expect(await respond(body)).toMatchObject({ error: { code: -32600 } });
    });
  }

  test("is answered with its id when it has one", async () => {
    expect(await respond('{"jsonrpc":"2.0","id":"a"}')).toMatchObject({ id: "a" });
  });

  test("that nests too deep is a parse error", async () => {
    const body = request({}).replace("}", `,"params":${"[".repeat(200)}${"]".repeat(200)}}`);
    expect(await respond(body)).toMatchObject({ error: { code: -32700 } });
  });
});

describe("a body beyond what this node reads", () => {
  for (const [limits, params] of [
    [{ maxJsonElements: 5 }, [1, 2, 3, 4, 5, 6]],
    [{ maxJsonParts: 6 }, [[], {}, [], {}]],
  ] as const) {
    test(`is an invalid request under ${JSON.stringify(limits)}`, async () => {
      expect(await respond(request({ params }), { limits })).toMatchObject({
        id: null,
        error: { code: -32600, data: expect.stringContaining("expected JSON of at most") },
      });
    });
  }
});

describe("an unknown method", () => {
  for (const [method, hint] of [
    ["starknet_getNonse", '; did you mean "starknet_getNonce"?'],
    ["getNonce", '; did you mean "starknet_getNonce"?'],
    ["starknet_blocknumber", '; did you mean "starknet_blockNumber"?'],
    ["chain_chainid", '; did you mean "chain_chainId"?'],
    ["entirely_different_thing", ""],
    ["__proto__", ""],
  ]) {
    test(`${method} names the nearest one`, async () => {
      expect(await respond(request({ method }))).toMatchObject({
        error: {
          code: -32601,
          message: "Method not found",
          data: `there is no method "${method}"${hint}`,
        },
      });
    });
  }

  test("is not repeated in full when it is long", async () => {
    const text = JSON.stringify(await respond(request({ method: "x".repeat(10_000) })));
    expect(text.length).toBeLessThan(300);
  });
});

describe("a batch", () => {
  test("is answered in its order, without its notifications", async () => {
    const body = `[${request({ id: 1 })},${request({ id: undefined })},1,${request({ id: 2, method: "chain_chainId" })}]`;
    expect(await respond(body)).toEqual([
      { jsonrpc: "2.0", id: 1, result: 1 },
      { jsonrpc: "2.0", id: null, error: expect.objectContaining({ code: -32600 }) },
      { jsonrpc: "2.0", id: 2, result: "0x534e5f54455354" },
    ]);
  });

  test("of notifications alone gets no response", async () => {
    expect(await respond(`[${request({ id: undefined })}]`)).toBeUndefined();
  });

  test("that is too long is refused as a whole", async () => {
    const body = `[${request({})},${request({})},${request({})}]`;
    expect(await respond(body, { limits: { maxBatchLength: 2 } })).toMatchObject({
      id: null,
      error: { code: -32600, data: "the batch has 3 requests, at most 2 are taken" },
    });
  });

  test("is answered up to the size limit, and with errors beyond it", async () => {
    let runs = 0;
    const queryPool: QueryPool = {
      run() {
        runs++;
        return Promise.resolve(new TextEncoder().encode(`{"result":"${"x".repeat(2_000)}"}`));
      },
    };
    const long = (id: unknown): string =>
      request({ id, method: "starknet_getBlockWithTxHashes", params: ["latest"] });
    const ids = Array.from({ length: 200 }, (_, i) => i);
    const body = `[${ids.map(long).join(",")},${request({ id: 200 })},${long(undefined)}]`;
    const limits = { maxResponseBytes: 5_000 };
    const answers = (await respond(body, { queryPool, limits })) as {
      id: number;
      error: unknown;
    }[];
    expect(answers.map(({ id }) => id)).toEqual([...ids, 200]);
    expect(answers.filter(({ error }) => error === undefined)).toHaveLength(2);
    expect(answers[2]?.error).toEqual({
      code: -32003,
      message: "Response too large",
      data: "the response would be longer than 5000 bytes: ask for less at once",
    });
    // What had begun ends, the rest is not run, and nobody would miss the answer of the last one.
    expect(runs).toBeLessThan(70);
  });

  test("keeps small answers, which tell what was done, whatever came before", async () => {
    const submit = {
      submit: () => Promise.resolve({ kind: "accepted", transactionHash: 5n } as const),
    };
    const add = request({ method: "starknet_addInvokeTransaction", params: [INVOKE] });
    const options = { context: sampleContext({ submit }), limits: { maxResponseBytes: 100 } };
    expect(await respond(`[${add},${add}]`, options)).toMatchObject([
      { result: { transaction_hash: "0x5" } },
      { result: { transaction_hash: "0x5" } },
    ]);
  });

  test("leaves the thread to others in between", async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const busy: RpcContext = {
      ...sampleContext(),
      get chain() {
        const endMs = performance.now() + 5;
        while (performance.now() < endMs);
        return sampleContext().chain;
      },
    };
    await respond(`[${Array<string>(40).fill(request({})).join(",")}]`, { context: busy });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(3);
  });
});

describe("an answer beyond the size limit", () => {
  for (const where of ["here", "on a query thread"]) {
    test(`that was made ${where} becomes an error with the request's id`, async () => {
      const queryPool: QueryPool | undefined =
        where === "here"
          ? undefined
          : { run: (_, name, params) => executeQuery(newest, sampleContext(), name, params) };
      const members = { method: "starknet_getBlockWithTxs", params: ["latest"] };
      const options = {
        limits: { maxResponseBytes: 200 },
        ...(queryPool === undefined ? {} : { queryPool }),
      };
      expect(await respond(request(members), options)).toEqual({
        jsonrpc: "2.0",
        id: 7,
        error: {
          code: -32003,
          message: "Response too large",
          data: "the response would be longer than 200 bytes: ask for less at once",
        },
      });
    });
  }

  test("is given when it has exactly as many bytes", async () => {
    const members = { method: "starknet_specVersion" };
    const bytes = '{"result":"0.10.2"}'.length;
    const at = (maxResponseBytes: number) =>
      respond(request(members), { limits: { maxResponseBytes } });
    expect(await at(bytes)).toMatchObject({ result: "0.10.2" });
    expect(await at(bytes - 1)).toMatchObject({ error: { code: -32003 } });
  });
});

describe("an unexpected error", () => {
  test("tells the caller a log id and nothing else", async () => {
    expect(await respond(request({}), { context: failing })).toEqual({
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
    const response = await respond(request({}), { context: failing, observer });
    const { error } = response as { error: { data: { log_id: string } } };
    expect(seen).toEqual(["blockNumber", error.data.log_id, expect.any(RangeError)]);
  });
});

describe("the observer", () => {
  for (const [what, members, ok, code] of [
    ["an answer", {}, true, undefined],
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
      await respond(request(members), { observer });
      const name = "method" in members ? "getNonce" : "blockNumber";
      expect(seen).toEqual([
        ["started", name],
        ["finished", name, ok, true, code],
      ]);
    });
  }
});

describe("the observer of a query", () => {
  test("sees the code in an answer of bytes", async () => {
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
      const call = request({ method: "starknet_call", params: [] });
      await respond(call, { observer, queryPool: pool });
    }
    expect(codes).toEqual([24, undefined]);
  });
});

describe("the query pool", () => {
  /** A pool that does what a query thread does. */
  const workerPool: QueryPool = {
    run: (_version, method, params) => executeQuery(newest, sampleContext(), method, params),
  };
  const call = { method: "starknet_getBlockWithTxHashes", params: { block_id: "latest" } };

  test("answers the same as running here", async () => {
    expect(await respond(request(call), { queryPool: workerPool })).toEqual(
      await respond(request(call)),
    );
  });

  test("answers the same error as running here", async () => {
    const bad = { ...call, params: [{ block_number: 99 }] };
    expect(await respond(request(bad), { queryPool: workerPool })).toEqual(
      await respond(request(bad)),
    );
  });

  test("is given version, name and parameters as text", async () => {
    const seen: unknown[] = [];
    const queryPool: QueryPool = {
      run(...args) {
        seen.push(args);
        return Promise.resolve(new TextEncoder().encode('{"result":{"a":1}}'));
      },
    };
    expect(await respond(request(call), { queryPool })).toMatchObject({ result: { a: 1 } });
    expect(seen).toEqual([["0.10.2", "getBlockWithTxHashes", '{"block_id":"latest"}']]);
  });

  test("is not asked for point reads", async () => {
    const queryPool: QueryPool = { run: () => Promise.reject(new RangeError("asked")) };
    expect(await respond(request({}), { queryPool })).toMatchObject({ result: 1 });
  });

  test("joins with answers from here in a batch", async () => {
    const body = `[${request({ id: 1 })},${request({ ...call, id: 2 })}]`;
    expect(await respond(body, { queryPool: workerPool })).toMatchObject([
      { id: 1, result: 1 },
      { id: 2, result: { block_number: 1 } },
    ]);
  });

  test("that fails is an internal error", async () => {
    const queryPool: QueryPool = { run: () => Promise.reject(new RangeError("died")) };
    expect(await respond(request(call), { queryPool })).toMatchObject({ error: { code: -32603 } });
  });

  test("answers an unknown method with an error, not with a rejection", async () => {
    const bytes = await executeQuery(newest, sampleContext(), "nothing", "[]");
    expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({ error: { code: -32601 } });
  });
});

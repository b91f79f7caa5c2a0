import { describe, expect, test } from "bun:test";
import { createMethodTables, type QueryPool } from "#api/rpc/index.ts";
import { DECLARE, DEPLOY_ACCOUNT, INVOKE } from "#test/helpers/broadcasted.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { JSON_LIMITS } from "#api/rpc/dispatch.ts";
import { Caller } from "#api/rpc/limits/caller.ts";
import { respondTo, requestText } from "#test/helpers/dispatch.ts";
import { dispatcherOf, notesOf, type FullContext } from "#test/helpers/serving.ts";

const [newest] = createMethodTables();

test.each([
  [
    "a request",
    requestText({ method: "starknet_getBlockWithTxHashes", params: ["pre_confirmed"] }),
  ],
  [
    "a batch",
    `[${requestText({ method: "starknet_getBlockWithTxHashes", params: ["pre_confirmed"] })}]`,
  ],
])("the text of %s is released before its response", async (_, body) => {
  const { promise, resolve } = Promise.withResolvers<Uint8Array>();
  const queryPool: QueryPool = { run: () => promise };
  const dispatcher = dispatcherOf(sampleContext(), { queryPool });
  let released = 0;
  const answer = dispatcher.handle(body, newest, notesOf({ bodyConsumed: () => void released++ }));
  for (let turn = 0; turn < 20; turn++) await Bun.sleep(0);
  expect(released).toBe(1);
  resolve(new TextEncoder().encode('{"result":5}'));
  expect(await answer).toBeDefined();
});

test("submitting methods pass on the caller of their request", async () => {
  const clients: unknown[] = [];
  const caller = new Caller("192.0.2.1");
  const take = (_: unknown, client: unknown) => {
    clients.push(client);
    return Promise.resolve({ kind: "accepted", transactionHash: 5n } as const);
  };
  const dispatcher = dispatcherOf(sampleContext({ submit: { submit: take, declare: take } }), {});
  const requests = [
    ["starknet_addInvokeTransaction", INVOKE],
    ["starknet_addDeployAccountTransaction", DEPLOY_ACCOUNT],
    ["starknet_addDeclareTransaction", DECLARE],
  ] as const;
  for (const [method, transaction] of requests) {
    const body = requestText({ method, params: [transaction] });
    await dispatcher.handle(body, newest, notesOf({ caller }));
  }
  expect(clients.map((client) => client === caller)).toEqual([true, true, true]);
});

test("query threads receive the version, method, parameters and caller", async () => {
  const runs: (readonly unknown[])[] = [];
  const queryPool: QueryPool = {
    run(...run) {
      runs.push(run);
      return Promise.resolve(new TextEncoder().encode('{"result":5}'));
    },
  };
  const notes = notesOf();
  const body = requestText({ method: "starknet_getBlockWithTxHashes", params: ["pre_confirmed"] });
  await dispatcherOf(sampleContext(), { queryPool }).handle(body, newest, notes);
  expect(runs).toEqual([
    [newest.spec.version, "getBlockWithTxHashes", '["pre_confirmed"]', notes.caller],
  ]);
});

describe("request", () => {
  test("is answered with its id", async () => {
    expect(await respondTo(requestText({}))).toEqual({ jsonrpc: "2.0", id: 7, result: 1 });
  });

  for (const id of ["text", 0, -1, 1.5, null, ""]) {
    test(`may have the id ${JSON.stringify(id)}`, async () => {
      expect(await respondTo(requestText({ id }))).toMatchObject({ id, result: 1 });
    });
  }

  test("keeps every digit of a long id", async () => {
    const dispatcher = dispatcherOf(sampleContext());
    const body = '{"jsonrpc":"2.0","id":12345678901234567890,"method":"starknet_blockNumber"}';
    expect(await dispatcher.handle(body, newest, notesOf())).toContain(
      '"id":12345678901234567890,',
    );
  });

  for (const id of ["1e400", "-1e400", "1e-400", "0.1234567890123456789", "9".repeat(2_000)]) {
    test(`with the id ${id.slice(0, 24)} is rejected rather than answered with another id`, async () => {
      const body = `{"jsonrpc":"2.0","id":${id},"method":"starknet_blockNumber"}`;
      expect(await respondTo(body)).toEqual({
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
    test(`may have the parameters ${JSON.stringify(params)} for a method without parameters`, async () => {
      expect(await respondTo(requestText({ params }))).toMatchObject({ result: 1 });
    });
  }

  test("may use the prefix `chain_`", async () => {
    expect(await respondTo(requestText({ method: "chain_blockNumber" }))).toMatchObject({
      result: 1,
    });
  });

  test("without an id is a notification and gets no response", async () => {
    expect(await respondTo(requestText({ id: undefined }))).toBeUndefined();
  });
});

describe("broken request", () => {
  for (const body of ["", "{", "nonsense", '{"jsonrpc":"2.0",}']) {
    test(`${JSON.stringify(body)} is a parse error`, async () => {
      expect(await respondTo(body)).toMatchObject({ id: null, error: { code: -32700 } });
    });
  }

  for (const [what, body] of [
    ["a number", "1"],
    ["a string", '"x"'],
    ["an empty batch", "[]"],
    ["no version", '{"id":1,"method":"starknet_blockNumber"}'],
    ["an old version", '{"jsonrpc":"1.0","id":1,"method":"starknet_blockNumber"}'],
    ["no method", '{"jsonrpc":"2.0","id":1}'],
    ["a method that is not a string", '{"jsonrpc":"2.0","id":1,"method":1}'],
    ["parameters that are a string", requestText({ params: "latest" })],
    ["an object as id", requestText({ id: {} })],
  ] as const) {
    test(`${what} is an invalid request`, async () => {
      expect(await respondTo(body)).toMatchObject({ error: { code: -32600 } });
    });
  }

  test("is answered with its id if it has one", async () => {
    expect(await respondTo('{"jsonrpc":"2.0","id":"a"}')).toMatchObject({ id: "a" });
  });

  test("nested too deeply is a parse error", async () => {
    const body = requestText({}).replace("}", `,"params":${"[".repeat(200)}${"]".repeat(200)}}`);
    expect(await respondTo(body)).toMatchObject({ error: { code: -32700 } });
  });
});

describe("oversized body", () => {
  for (const [what, params] of [
    ["values", Array.from({ length: JSON_LIMITS.maxElements }, () => 1)],
    [
      "arrays and objects",
      Array.from({ length: JSON_LIMITS.maxParts }, (_, i) => (i % 2 ? [] : {})),
    ],
  ] as const) {
    test(`is an invalid request with too many ${what}`, async () => {
      expect(await respondTo(requestText({ params }))).toMatchObject({
        id: null,
        error: { code: -32600, data: expect.stringContaining("expected JSON of at most") },
      });
    });
  }
});

describe("unknown method", () => {
  for (const [method, hint] of [
    ["starknet_getNonse", '; did you mean "starknet_getNonce"?'],
    ["getNonce", '; did you mean "starknet_getNonce"?'],
    ["starknet_blocknumber", '; did you mean "starknet_blockNumber"?'],
    ["starknet_GETNONCE", '; did you mean "starknet_getNonce"?'],
    ["chain_chainid", '; did you mean "chain_chainId"?'],
    ["entirely_different_thing", ""],
    ["__proto__", ""],
  ]) {
    test(`${method} gets the nearest method as a suggestion`, async () => {
      expect(await respondTo(requestText({ method }))).toMatchObject({
        error: {
          code: -32601,
          message: "Method not found",
          data: `there is no method "${method}"${hint}`,
        },
      });
    });
  }

  test("is truncated in the error when it is long", async () => {
    const text = JSON.stringify(await respondTo(requestText({ method: "x".repeat(10_000) })));
    expect(text.length).toBeLessThan(300);
  });
});

describe("batch", () => {
  test("is answered in order, without its notifications", async () => {
    const body = `[${requestText({ id: 1 })},${requestText({ id: undefined })},1,${requestText({ id: 2, method: "chain_chainId" })}]`;
    expect(await respondTo(body)).toEqual([
      { jsonrpc: "2.0", id: 1, result: 1 },
      { jsonrpc: "2.0", id: null, error: expect.objectContaining({ code: -32600 }) },
      { jsonrpc: "2.0", id: 2, result: "0x534e5f54455354" },
    ]);
  });

  test("of notifications alone gets no response", async () => {
    expect(await respondTo(`[${requestText({ id: undefined })}]`)).toBeUndefined();
  });

  test("above the length limit is rejected as a whole", async () => {
    const body = `[${requestText({})},${requestText({})},${requestText({})}]`;
    expect(await respondTo(body, { limits: { maxBatchLength: 2 } })).toMatchObject({
      id: null,
      error: { code: -32600, data: "the batch has 3 requests, at most 2 are allowed" },
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
      requestText({ id, method: "starknet_getBlockWithTxHashes", params: ["latest"] });
    const ids = Array.from({ length: 200 }, (_, i) => i);
    const body = `[${ids.map(long).join(",")},${requestText({ id: 200 })},${long(undefined)}]`;
    const limits = { maxResponseBytes: 5_000 };
    const answers = (await respondTo(body, { queryPool, limits })) as {
      id: number;
      error: unknown;
    }[];
    expect(answers.map(({ id }) => id)).toEqual([...ids, 200]);
    expect(answers.filter(({ error }) => error === undefined)).toHaveLength(2);
    expect(answers[2]?.error).toEqual({
      code: -32003,
      message: "Response too large",
      data: "the response would be longer than 5000 bytes: request less at a time",
    });
    // Queries in flight finish; queued ones and the final notification do not run.
    expect(runs).toBeLessThan(70);
  });

  test("keeps small submission responses beyond the size limit", async () => {
    const accept = () => Promise.resolve({ kind: "accepted", transactionHash: 5n } as const);
    const submit = { submit: accept, declare: accept };
    const add = requestText({ method: "starknet_addInvokeTransaction", params: [INVOKE] });
    const options = { context: sampleContext({ submit }), limits: { maxResponseBytes: 100 } };
    expect(await respondTo(`[${add},${add}]`, options)).toMatchObject([
      { result: { transaction_hash: "0x5" } },
      { result: { transaction_hash: "0x5" } },
    ]);
  });

  test("yields to other work between requests", async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const busy: FullContext = {
      ...sampleContext(),
      get chain() {
        const endMs = performance.now() + 5;
        while (performance.now() < endMs);
        return sampleContext().chain;
      },
    };
    await respondTo(`[${Array<string>(40).fill(requestText({})).join(",")}]`, { context: busy });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(3);
  });
});

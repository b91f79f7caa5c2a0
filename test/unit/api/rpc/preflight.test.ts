import { expect, test } from "bun:test";
import type { ServerContext } from "#api/rpc/index.ts";
import { method, required } from "#api/rpc/method.ts";
import { SPEC_0_10_2 } from "#api/rpc/spec/v0_10/index.ts";
import { createMethodTable } from "#api/rpc/table.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { answerText, dispatcherOf, localPool } from "#test/helpers/serving.ts";

const guarded = method({
  name: "guarded",
  family: "read",
  runsOn: "query",
  summary: "Looks at its parameter first.",
  params: (spec) => ({ value: required(spec.felt) }),
  result: () => (answer: string) => answer,
  errors: ["BLOCK_NOT_FOUND"],
  async preflight(_context, { value }, fail) {
    await Promise.resolve();
    if (value === 0n) fail("BLOCK_NOT_FOUND");
  },
  handler: () => "here",
});

const table = createMethodTable<ServerContext>(SPEC_0_10_2, {
  methods: [guarded],
  subscriptions: [],
  extensions: [],
});

/** Response to a request, and the parameters that the query threads received. */
async function ask(value: unknown, withPool: boolean) {
  const queries: string[] = [];
  const queryPool = {
    run(_version: string, _name: string, params: string) {
      queries.push(params);
      return Promise.resolve(new TextEncoder().encode('{"result":"there"}'));
    },
  };
  const context = sampleContext();
  const dispatcher = dispatcherOf(context, {
    queryPool: withPool ? queryPool : localPool(context, [table]),
  });
  const request = { jsonrpc: "2.0", id: 1, method: "starknet_guarded", params: [value] };
  const text = await answerText(dispatcher, JSON.stringify(request), table);
  return { answer: JSON.parse(text) as object, queries };
}

test("a request that passes preflight runs on its thread", async () => {
  expect(await ask("0x1", true)).toMatchObject({
    answer: { result: "there" },
    queries: ['["0x1"]'],
  });
  expect(await ask("0x1", false)).toMatchObject({ answer: { result: "here" } });
});

test("a request that fails preflight never runs", async () => {
  for (const withPool of [true, false]) {
    expect(await ask("0x0", withPool)).toMatchObject({
      answer: { error: { code: 24 } },
      queries: [],
    });
  }
});

test("invalid parameters are rejected before preflight", async () => {
  expect(await ask("zero", true)).toMatchObject({
    answer: { error: { code: -32602 } },
    queries: [],
  });
});

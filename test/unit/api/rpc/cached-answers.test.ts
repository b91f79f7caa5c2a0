import { executeQuery } from "#test/helpers/execute-query.ts";
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type JsonValue, stringifyJson } from "#base/codec/index.ts";
import { createMethodTables, type QueryPool, type ServerContext } from "#api/rpc/index.ts";
import type { MethodTable } from "#api/rpc/table.ts";
import { ChangingChain, type Contents, contents } from "#test/helpers/changing-chain.ts";
import { fakeBlock, fakeReceipt } from "#test/helpers/fake-chain.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import {
  answerText,
  dispatcherOf,
  newCache,
  SILENT,
  type FullContext,
} from "#test/helpers/serving.ts";

const TABLES = createMethodTables();
const [newest] = TABLES;

/** Methods with cached responses for accepted blocks, and the parameters after the block id. */
const ASKED: readonly (readonly [method: string, options: readonly JsonValue[]])[] = [
  ["getBlockWithReceipts", []],
  ["getBlockWithReceipts", [["INCLUDE_PROOF_FACTS"]]],
  ["getBlockWithTxs", []],
  ["getBlockWithTxs", [["INCLUDE_PROOF_FACTS"]]],
  ["getBlockWithTxHashes", []],
  ["getStateUpdate", []],
  ["getStateUpdate", [["0x1"]]],
];

/** A step between or with queries. */
const event = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("ask" as const), which: fc.nat(1_000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("grow" as const), contents }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("settle" as const), by: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("revert" as const), by: fc.nat(2) }) },
);

function requestText(method: string, params: readonly JsonValue[]): string {
  return stringifyJson({ jsonrpc: "2.0", id: 1, method: `starknet_${method}`, params });
}

async function textOf(
  context: FullContext,
  table: MethodTable<ServerContext>,
  body: string,
  cache = newCache(),
): Promise<string> {
  return answerText(dispatcherOf(context, { cache }), body, table);
}

/** Methods about one transaction with cached responses, and the parameters after the hash. */
const ASKED_OF_TRANSACTIONS: typeof ASKED = [
  ["getTransactionByHash", []],
  ["getTransactionByHash", [["INCLUDE_PROOF_FACTS"]]],
  ["getTransactionReceipt", []],
];

/** Request for a transaction of the chain, or for an unknown one. */
function transactionQuestion(which: number, chain: ChangingChain, knowsFlags: boolean): string {
  const hashes = chain.blocks.flatMap(({ transactions }) => transactions.map(({ hash }) => hash));
  const hash = hashes[which % (hashes.length + 1)] ?? 0xdeadn;
  const [method, options] = ASKED_OF_TRANSACTIONS[which % ASKED_OF_TRANSACTIONS.length] as [
    string,
    readonly JsonValue[],
  ];
  return requestText(method, [`0x${hash.toString(16)}`, ...(knowsFlags ? options : [])]);
}

/** Request selected by a number. */
function questionOf(
  which: number,
  chain: ChangingChain,
): { table: MethodTable<ServerContext>; body: string } {
  const table = TABLES[which % TABLES.length] ?? newest;
  if (which % 5 < 2)
    return { table, body: transactionQuestion(which >> 2, chain, table === newest) };
  const [method, options] = ASKED[which % ASKED.length] ?? ["getBlockWithTxs", []];
  const { length } = chain.blocks;
  const { header } = chain.blocks[which % length] ?? { header: undefined };
  const ids: JsonValue[] = [
    "latest",
    { block_number: which % (length + 1) },
    { block_hash: `0x${(header?.hash ?? 0n).toString(16)}` },
    table === newest ? "pre_confirmed" : "latest",
  ];
  const known = table === newest ? options : [];
  return {
    table,
    body: requestText(method, [ids[(which >> 3) % ids.length] ?? "latest", ...known]),
  };
}

test("cached responses equal uncached ones byte for byte while the chain changes", async () => {
  let kept = 0;
  await assertProperty(
    fc.asyncProperty(fc.array(event, { minLength: 10, maxLength: 40 }), async (events) => {
      const chain = new ChangingChain();
      const cache = newCache();
      for (const step of events) {
        const { length } = chain.blocks;
        if (step.kind === "grow") chain.grow(step.contents);
        else if (step.kind === "settle") chain.l1Accepted = Math.min(step.by, length - 1);
        else if (step.kind === "revert") chain.blocks.length = Math.max(1, length - step.by);
        else {
          const { table, body } = questionOf(step.which, chain);
          const plain = await textOf(chain.context, table, body);
          expect(await textOf(chain.live, table, body, cache)).toBe(plain);
          expect(await textOf(chain.live, table, body, cache)).toBe(plain);
        }
      }
      kept += cache.sizeBytes;
    }),
    { numRuns: 60 },
  );
  expect(kept).toBeGreaterThan(0);
});

/** Pool that runs `before` and then answers from a context. */
function poolOf(context: FullContext, before: () => void = () => undefined) {
  const state = { queries: 0 };
  const pool: QueryPool = {
    run(_version, method, paramsText) {
      state.queries++;
      before();
      return executeQuery(newest, context, method, paramsText, SILENT);
    },
  };
  return { state, pool };
}

const PLAIN: Contents = {
  entries: [],
  stateDiff: fakeBlock({ header: { number: 0 } }).stateDiff,
  hash: 0xabcn,
};

describe("cache of query thread responses", () => {
  test("queries an unchanged block once", async () => {
    const context = sampleContext();
    const { state, pool } = poolOf(context);
    const dispatcher = dispatcherOf(context, { queryPool: pool });
    const bodies: unknown[] = [];
    for (const id of ["latest", { block_number: 1 }, "latest"]) {
      bodies.push(await answerText(dispatcher, requestText("getBlockWithReceipts", [id]), newest));
    }
    expect(state.queries).toBe(1);
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });

  test("skips a response for `latest` when the query thread has seen a newer block", async () => {
    const chain = new ChangingChain();
    const cache = newCache();
    const { pool } = poolOf(chain.live, () => chain.grow(PLAIN));
    const dispatcher = dispatcherOf(chain.live, { queryPool: pool, cache });
    await answerText(dispatcher, requestText("getBlockWithTxHashes", ["latest"]), newest);
    expect(cache.sizeBytes).toBe(0);
  });

  test("skips a response when blocks were reverted during the query", async () => {
    const chain = new ChangingChain();
    const cache = newCache();
    const { pool } = poolOf(chain.live, () => cache.clear());
    const dispatcher = dispatcherOf(chain.live, { queryPool: pool, cache });
    await answerText(dispatcher, requestText("getBlockWithTxHashes", ["latest"]), newest);
    expect(cache.sizeBytes).toBe(0);
  });

  test("skips errors and responses about the pre-confirmed block", async () => {
    const context = sampleContext();
    const cache = newCache();
    const failing: QueryPool = {
      run: async () => new TextEncoder().encode(`{"error":{"code":-32603,"message":"no"}}`),
    };
    const broken = dispatcherOf(context, { queryPool: failing, cache });
    await answerText(broken, requestText("getBlockWithTxs", ["latest"]), newest);
    const { pool } = poolOf(context);
    const dispatcher = dispatcherOf(context, { queryPool: pool, cache });
    await answerText(dispatcher, requestText("getBlockWithTxs", ["pre_confirmed"]), newest);
    await answerText(dispatcher, requestText("getBlockWithTxs", [{ block_number: 99 }]), newest);
    expect(cache.sizeBytes).toBe(0);
  });
});

describe("cached responses depend on", () => {
  test("the proof facts flag", async () => {
    const context = sampleContext();
    const cache = newCache();
    for (const method of ["getBlockWithReceipts", "getBlockWithTxs"]) {
      const ask = (flags: readonly JsonValue[]) =>
        textOf(context, newest, requestText(method, ["latest", flags]), cache);
      for (let round = 0; round < 2; round++) {
        expect(await ask([])).not.toContain("proof_facts");
        expect(await ask(["INCLUDE_PROOF_FACTS"])).toContain("proof_facts");
      }
    }
  });

  test("the contract filter", async () => {
    const context = sampleContext();
    const cache = newCache();
    const ask = (params: readonly JsonValue[]) =>
      textOf(context, newest, requestText("getStateUpdate", params), cache);
    const all = await ask(["latest"]);
    const none = await ask(["latest", ["0x1"]]);
    expect(none.length).toBeLessThan(all.length);
    expect(await ask(["latest"])).toBe(all);
    expect(await ask(["latest", ["0x1"]])).toBe(none);
  });
});

test("cached traces of transactions in one block are kept apart", async () => {
  const chain = new ChangingChain();
  const hashes = [0x11n, 0x12n] as const;
  const [transaction] = sampleContext().chain.transactions(0);
  const header = { number: 1, hash: 0xb1n };
  chain.blocks.push(
    fakeBlock({
      header,
      transactions: hashes.map((hash) => ({ ...transaction, hash }) as never),
      receipts: hashes.map((transactionHash) => fakeReceipt({ transactionHash })),
    }),
  );
  const cache = newCache();
  let queries = 0;
  const queryPool: QueryPool = {
    run: async (_version, _method, paramsText) => {
      queries++;
      return new TextEncoder().encode(`{"result":${paramsText}}`);
    },
  };
  const dispatcher = dispatcherOf(chain.live, { queryPool, cache });
  const ask = async (hash: bigint): Promise<unknown> => {
    const request = requestText("traceTransaction", [`0x${hash.toString(16)}`]);
    return (JSON.parse(await answerText(dispatcher, request, newest)) as { result: unknown })
      .result;
  };
  for (let round = 0; round < 2; round++) {
    for (const hash of hashes) expect(await ask(hash)).toEqual([`0x${hash.toString(16)}`]);
  }
  expect(queries).toBe(2);
});

test("invalid parameters are rejected with a cache too", async () => {
  const context = sampleContext();
  for (const params of [[], ["nothing"], [{ block_number: -1 }], ["latest", ["WHAT"]]]) {
    const body = requestText("getBlockWithReceipts", params);
    const text = await textOf(context, newest, body, newCache());
    expect(JSON.parse(text)).toMatchObject({ error: { code: -32602 } });
  }
});

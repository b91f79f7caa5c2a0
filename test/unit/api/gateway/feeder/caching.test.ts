import { describe, expect, test } from "bun:test";
import { createFeederTable } from "#api/gateway/feeder/index.ts";
import { createGatewayHandler } from "#api/gateway/app.ts";
import type { Caller, QueryPool } from "#api/rpc/index.ts";
import { createFakeChain, fakeBlock } from "#test/helpers/fake-chain.ts";
import { feederOf, handlerDeps } from "#test/helpers/feeder.ts";
import { httpRequest } from "#test/helpers/http-handler.ts";
import { sampleContext, SAMPLE_CHAIN } from "#test/helpers/sample-chain.ts";
import { localPool } from "#test/helpers/serving.ts";

/** A pool that counts what it is asked. */
function counted(context = sampleContext()) {
  const inner = localPool(context, [createFeederTable()]);
  const asked: string[] = [];
  const queryPool: QueryPool = {
    run(version, method, params, caller) {
      asked.push(method);
      return inner.run(version, method, params, caller);
    },
  };
  return { ...feederOf({ context, queryPool }), asked };
}

const ROUTES = [
  "get_block",
  "get_block?blockNumber=0",
  "get_block?headerOnly=true",
  "get_state_update",
  "get_state_update?includeBlock=true",
  "get_signature",
  "get_public_key",
  "get_contract_addresses",
  "get_class_by_hash?classHash=0x51e77a",
  "get_transaction?transactionHash=0x100",
  "get_transaction_status?transactionHash=0x100",
  "get_transaction_receipt?transactionHash=0x100",
  "get_storage_at?contractAddress=0xc0&key=0x10",
  "get_nonce?contractAddress=0xc0",
  "get_class_hash_at?contractAddress=0xc0",
  "get_block_hash_by_id?blockId=0",
  "get_block_id_by_hash?blockHash=0xb10c0",
  "get_preconfirmed_block?blockNumber=latest",
  "get_preconfirmed_block?blockNumber=2&blockIdentifier=",
];

describe("tags", () => {
  test.each(ROUTES)("%s: who has the answer is told so without it", async (route) => {
    const { ask } = feederOf();
    const { headers, status } = await ask(route);
    const etag = headers["etag"] ?? "";
    expect([status, etag]).toEqual([200, expect.stringMatching(/^W\/"[^"]+"$/)]);
    for (const given of [etag, etag.slice(2), `"x", ${etag}`, "*"]) {
      const again = await ask(route, { "if-none-match": given });
      expect([again.status, again.text]).toEqual([304, ""]);
      expect(again.headers["etag"]).toBe(etag);
      expect(again.headers["cache-control"]).toBe(headers["cache-control"] ?? "");
    }
    for (const given of ['W/"other"', "", '"', `x${etag}`]) {
      expect((await ask(route, { "if-none-match": given })).status).toBe(200);
    }
  });

  test("a block's names its hash and how final it is", async () => {
    const block = fakeBlock({ header: { number: 0 } });
    const on = async (l1Accepted: number | undefined) => {
      const chain = createFakeChain([block], l1Accepted === undefined ? {} : { l1Accepted });
      const { ask } = feederOf({ context: sampleContext({ chain, pending: () => undefined }) });
      return (await ask("get_block?blockNumber=0")).headers;
    };
    const [onL2, onL1] = [await on(undefined), await on(0)];
    expect(onL2["etag"]).not.toBe(onL1["etag"] ?? "");
    expect(onL2["cache-control"]).toBe("no-cache");
    expect(onL1["cache-control"]).toBe("public, max-age=31536000, immutable");
  });

  test("only classes and named blocks on L1 are kept for good", async () => {
    const { ask } = feederOf();
    const kept: string[] = [];
    for (const route of [
      ...ROUTES,
      "get_state_update?blockHash=0xb10c0",
      "get_signature?blockNumber=0",
    ]) {
      const { headers } = await ask(route);
      if (headers["cache-control"]?.includes("immutable") === true) kept.push(route);
    }
    expect(kept).toEqual([
      "get_block?blockNumber=0",
      "get_class_by_hash?classHash=0x51e77a",
      "get_state_update?blockHash=0xb10c0",
      "get_signature?blockNumber=0",
    ]);
    const { ask: settled } = feederOf({
      context: sampleContext({ chain: { ...SAMPLE_CHAIN, l1AcceptedNumber: () => 1 } }),
    });
    expect((await settled("get_block")).headers["cache-control"]).toBe("no-cache");
    expect((await settled("get_block?blockNumber=1")).headers["cache-control"]).toContain(
      "immutable",
    );
  });

  test("who knows a block costs no query thread anything", async () => {
    const { ask, asked } = counted();
    const { headers } = await ask("get_block?headerOnly=true");
    await ask("get_block", { "if-none-match": headers["etag"] ?? "" });
    expect(asked).toEqual([]);
  });
});

describe("kept answers", () => {
  test("an accepted block is written once, for each form", async () => {
    const { ask, asked } = counted();
    const first = await ask("get_block?blockNumber=1");
    for (const query of ["", "?blockNumber=latest", "?blockNumber=pending", "?blockHash=0xb10c1"]) {
      expect((await ask(`get_block${query}`)).text).toBe(first.text);
    }
    await ask("get_state_update?includeBlock=true");
    await ask("get_state_update?includeBlock=true&includeSignature=true");
    await ask("get_state_update?includeBlock=true&includeSignature=true");
    expect(asked).toEqual(["block", "wholeBlock", "wholeBlock"]);
  });

  test("blocks that were taken back are not told any more", async () => {
    let chain = createFakeChain([
      fakeBlock({ header: { number: 0 } }),
      fakeBlock({ header: { number: 1 } }),
    ]);
    const context = sampleContext({ pending: () => undefined });
    const { ask } = feederOf({
      context: {
        ...context,
        get chain() {
          return chain;
        },
      },
    });
    await ask("get_block?blockNumber=1");
    chain = createFakeChain([
      fakeBlock({ header: { number: 0 } }),
      fakeBlock({ header: { number: 1, hash: 0xabcn } }),
    ]);
    expect((await ask("get_block?blockNumber=1")).json).toHaveProperty("block_hash", "0xabc");
    expect((await ask("get_block?blockHash=0xb10c1")).status).toBe(400);
  });

  test("another block in its place, at the query thread first, is not taken for it", async () => {
    const context = sampleContext({ pending: () => undefined });
    const other = createFakeChain([fakeBlock({ header: { number: 0, hash: 0xabcn } })]);
    const behind = localPool({ ...context, chain: other }, [createFeederTable()]);
    const { ask } = feederOf({ context, queryPool: behind });
    expect((await ask("get_block?blockNumber=0")).json).toHaveProperty(
      "code",
      "StarknetErrorCode.BLOCK_NOT_FOUND",
    );
  });

  test("a class of a block that is not accepted is asked for again", async () => {
    const { ask, asked } = counted();
    for (const hash of ["0x9e4d1", "0x9e4d1", "0x51e77a", "0x51e77a"]) {
      expect((await ask(`get_class_by_hash?classHash=${hash}`)).status).toBe(200);
    }
    expect(asked).toHaveLength(3);
  });

  test("a class is kept once, whichever blocks are named beside it", async () => {
    const { ask, asked, deps } = counted();
    const path = "get_class_by_hash?classHash=0x51e77a";
    const { text } = await ask(`${path}&blockNumber=1`);
    const { sizeBytes } = deps.cache;
    for (const block of ["&blockNumber=01", "&blockHash=0xb10c1", "&blockHash=0x0B10C1", ""]) {
      expect((await ask(`${path}${block}`)).text).toBe(text);
    }
    expect(asked).toEqual(["contractClass"]);
    expect(deps.cache.sizeBytes).toBe(sizeBytes);
    // It is kept, and not told of a block before the one that declares it.
    expect((await ask(`${path}&blockNumber=0`)).json).toHaveProperty(
      "code",
      "StarknetErrorCode.UNDECLARED_CLASS",
    );
  });

  test("a contract's class is that of its hash, and may be another one later", async () => {
    const { ask, asked } = counted();
    const { text: hashText } = await ask(
      "get_class_hash_at?contractAddress=0xc1&blockNumber=pending",
    );
    const hash = JSON.parse(hashText) as string;
    const byHash = await ask(`get_class_by_hash?classHash=${hash}&blockNumber=pending`);
    const path = "get_full_contract?contractAddress=0xc1&blockNumber=pending";
    const { status, text, headers } = await ask(path);
    expect([status, text, headers["cache-control"]]).toEqual([200, byHash.text, "no-cache"]);
    expect((await ask(path, { "if-none-match": headers["etag"] ?? "" })).status).toBe(304);
    expect(new Set(asked)).toEqual(new Set(["contractClass"]));
  });

  test("a class that is known of the newest block is not told of an older one", async () => {
    const { ask, asked } = counted();
    const path = "get_class_by_hash?classHash=0x51e77a";
    expect((await ask(path)).status).toBe(200);
    expect((await ask(`${path}&blockNumber=0`)).status).toBe(400);
    expect((await ask(`${path}&blockNumber=1`)).status).toBe(200);
    expect(asked).toHaveLength(3);
  });
});

describe("a node without room", () => {
  const answering = (text: string): QueryPool => ({
    run: () => Promise.resolve(new TextEncoder().encode(text)),
  });

  test.each([
    ['{"error":{"code":-32005,"message":"Limit exceeded","data":"too much"}}', 503, "too much\n"],
    [
      '{"error":{"code":-32603,"message":"Internal error","data":"took too long"}}',
      500,
      "took too long\n",
    ],
    [
      '{"error":{"code":-32603,"message":"Internal error","data":{"log_id":"1"}}}',
      500,
      "Internal Server Error\n",
    ],
    [
      '{"error":{"code":24,"message":"Block not found"}}',
      400,
      '{"code":"StarknetErrorCode.BLOCK_NOT_FOUND","message":"Block not found"}',
    ],
    [
      '{"error":{"code":24,"message":"Block not found","data":"not kept"}}',
      400,
      '{"code":"StarknetErrorCode.BLOCK_NOT_FOUND","message":"not kept"}',
    ],
  ] as const)("%s", async (outcome, status, text) => {
    const { ask } = feederOf({ queryPool: answering(outcome) });
    const answer = await ask("get_block");
    expect([answer.status, answer.text]).toEqual([status, text]);
    expect(answer.headers["cache-control"]).toBe("no-store");
    if (status === 503) expect(answer.headers["retry-after"]).toBe("1");
    // Nothing of it was kept.
    expect((await feederOf().ask("get_block")).status).toBe(200);
  });
});

describe("clients take turns", () => {
  test("whoever asks for a long answer is who waits for it at the query threads", async () => {
    const context = sampleContext();
    const inner = localPool(context, [createFeederTable()]);
    const callers: Caller[] = [];
    const queryPool: QueryPool = {
      run(version, method, params, caller) {
        callers.push(caller);
        return inner.run(version, method, params, caller);
      },
    };
    const handler = createGatewayHandler(handlerDeps(feederOf({ context, queryPool }).deps));
    const requests = [
      "get_block",
      "get_state_update",
      "get_state_update?includeBlock=true",
      "get_class_by_hash?classHash=0x51e77a",
      "get_preconfirmed_block?blockNumber=latest",
      "get_preconfirmed_block?blockNumber=latest&blockIdentifier=",
    ].map((path) => httpRequest("GET", `/feeder_gateway/${path}`, { host: "h" }, ""));
    for (const request of requests) expect((await handler(request)).status).toBe(200);
    expect(callers).toEqual(requests.map(({ caller }) => caller));
    expect(callers.every((caller, i) => caller === requests[i]?.caller)).toBe(true);
  });
});

import { describe, expect, test } from "bun:test";
import { createFeederTable } from "#api/gateway/feeder/index.ts";
import { createGatewayHandler } from "#api/gateway/app.ts";
import type { Caller, QueryPool } from "#api/rpc/index.ts";
import { createFakeChain, fakeBlock } from "#test/helpers/fake-chain.ts";
import { feederOf, handlerDeps } from "#test/helpers/feeder.ts";
import { httpRequest } from "#test/helpers/http-handler.ts";
import { sampleContext, SAMPLE_CHAIN } from "#test/helpers/sample-chain.ts";
import { localPool } from "#test/helpers/serving.ts";

/** Feeder whose query pool records the requested methods. */
function counted(context = sampleContext()) {
  const inner = localPool(context, [createFeederTable()]);
  const methods: string[] = [];
  const queryPool: QueryPool = {
    run(version, method, params, caller) {
      methods.push(method);
      return inner.run(version, method, params, caller);
    },
  };
  return { ...feederOf({ context, queryPool }), methods };
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

describe("entity tags", () => {
  test.each(ROUTES)("%s: responds 304 to a client that sends the current tag", async (route) => {
    const { ask } = feederOf();
    const { headers, status } = await ask(route);
    const etag = headers["etag"] ?? "";
    expect([status, etag]).toEqual([200, expect.stringMatching(/^W\/"[^"]+"$/)]);
    for (const tag of [etag, etag.slice(2), `"x", ${etag}`, "*"]) {
      const again = await ask(route, { "if-none-match": tag });
      expect([again.status, again.text]).toEqual([304, ""]);
      expect(again.headers["etag"]).toBe(etag);
      expect(again.headers["cache-control"]).toBe(headers["cache-control"] ?? "");
    }
    for (const tag of ['W/"other"', "", '"', `x${etag}`]) {
      expect((await ask(route, { "if-none-match": tag })).status).toBe(200);
    }
  });

  test("the tag of a block depends on its hash and finality", async () => {
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

  test("only classes and blocks on L1 that are selected explicitly are cached permanently", async () => {
    const { ask } = feederOf();
    const permanent: string[] = [];
    for (const route of [
      ...ROUTES,
      "get_state_update?blockHash=0xb10c0",
      "get_signature?blockNumber=0",
    ]) {
      const { headers } = await ask(route);
      if (headers["cache-control"]?.includes("immutable") === true) permanent.push(route);
    }
    expect(permanent).toEqual([
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

  test("a matching tag needs no query thread", async () => {
    const { ask, methods } = counted();
    const { headers } = await ask("get_block?headerOnly=true");
    await ask("get_block", { "if-none-match": headers["etag"] ?? "" });
    expect(methods).toEqual([]);
  });
});

describe("response cache", () => {
  test("renders an accepted block once per response form", async () => {
    const { ask, methods } = counted();
    const first = await ask("get_block?blockNumber=1");
    for (const query of ["", "?blockNumber=latest", "?blockNumber=pending", "?blockHash=0xb10c1"]) {
      expect((await ask(`get_block${query}`)).text).toBe(first.text);
    }
    await ask("get_state_update?includeBlock=true");
    await ask("get_state_update?includeBlock=true&includeSignature=true");
    await ask("get_state_update?includeBlock=true&includeSignature=true");
    expect(methods).toEqual(["block", "wholeBlock", "wholeBlock"]);
  });

  test("stops serving reverted blocks", async () => {
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

  test("does not accept a different block from a query thread that is out of step", async () => {
    const context = sampleContext({ pending: () => undefined });
    const other = createFakeChain([fakeBlock({ header: { number: 0, hash: 0xabcn } })]);
    const behind = localPool({ ...context, chain: other }, [createFeederTable()]);
    const { ask } = feederOf({ context, queryPool: behind });
    expect((await ask("get_block?blockNumber=0")).json).toHaveProperty(
      "code",
      "StarknetErrorCode.BLOCK_NOT_FOUND",
    );
  });

  test("queries a class of a pre-confirmed block each time", async () => {
    const { ask, methods } = counted();
    for (const hash of ["0x9e4d1", "0x9e4d1", "0x51e77a", "0x51e77a"]) {
      expect((await ask(`get_class_by_hash?classHash=${hash}`)).status).toBe(200);
    }
    expect(methods).toHaveLength(3);
  });

  test("caches a class once, whichever block selects it", async () => {
    const { ask, methods, deps } = counted();
    const path = "get_class_by_hash?classHash=0x51e77a";
    const { text } = await ask(`${path}&blockNumber=1`);
    const { sizeBytes } = deps.cache;
    for (const block of ["&blockNumber=01", "&blockHash=0xb10c1", "&blockHash=0x0B10C1", ""]) {
      expect((await ask(`${path}${block}`)).text).toBe(text);
    }
    expect(methods).toEqual(["contractClass"]);
    expect(deps.cache.sizeBytes).toBe(sizeBytes);
    // The cached class must not be returned for a block before its declaration.
    expect((await ask(`${path}&blockNumber=0`)).json).toHaveProperty(
      "code",
      "StarknetErrorCode.UNDECLARED_CLASS",
    );
  });

  test("get_full_contract returns the contract's current class and is not immutable", async () => {
    const { ask, methods } = counted();
    const { text: hashText } = await ask(
      "get_class_hash_at?contractAddress=0xc1&blockNumber=pending",
    );
    const hash = JSON.parse(hashText) as string;
    const byHash = await ask(`get_class_by_hash?classHash=${hash}&blockNumber=pending`);
    const path = "get_full_contract?contractAddress=0xc1&blockNumber=pending";
    const { status, text, headers } = await ask(path);
    expect([status, text, headers["cache-control"]]).toEqual([200, byHash.text, "no-cache"]);
    expect((await ask(path, { "if-none-match": headers["etag"] ?? "" })).status).toBe(304);
    expect(new Set(methods)).toEqual(new Set(["contractClass"]));
  });

  test("a class declared in the newest block is not returned for an older one", async () => {
    const { ask, methods } = counted();
    const path = "get_class_by_hash?classHash=0x51e77a";
    expect((await ask(path)).status).toBe(200);
    expect((await ask(`${path}&blockNumber=0`)).status).toBe(400);
    expect((await ask(`${path}&blockNumber=1`)).status).toBe(200);
    expect(methods).toHaveLength(3);
  });
});

describe("errors of query threads", () => {
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
    // The failure was not cached.
    expect((await feederOf().ask("get_block")).status).toBe(200);
  });
});

describe("fair scheduling", () => {
  test("passes the caller of each request to the query pool", async () => {
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

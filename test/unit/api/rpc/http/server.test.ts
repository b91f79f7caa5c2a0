import { describe, expect, test } from "bun:test";
import { NodeError } from "#base/errors/index.ts";
import { emptyContext } from "#test/helpers/sample-chain.ts";
import {
  type PostOptions,
  postTo,
  sampleServers,
  serveSample,
  SPEC_VERSION_BODY as BODY,
} from "#test/helpers/sample-server.ts";

const start = sampleServers();
const url = await start();

function post(
  path: string,
  options: PostOptions = {},
  base: string | Promise<string> = url,
): Promise<Response> {
  return postTo(base, path, options);
}

describe("paths", () => {
  for (const path of [
    "/",
    "/rpc",
    "/rpc/",
    "/ws",
    "/rpc/pathfinder/v0.1",
    "/rpc/pathfinder/v0_1",
    "/rpc/v0_10",
    "/rpc/v0_10_0",
    "/rpc/v0_10_1",
    "/rpc/v0.10.0",
    "/rpc/v0_10_2",
    "/rpc/v0.10.2",
    "/RPC/V0_10",
    "/v0_10",
    "/?key=1",
  ]) {
    test(`${path} serves 0.10.2`, async () => {
      const response = await post(path);
      expect(await response.json()).toEqual({ jsonrpc: "2.0", id: 1, result: "0.10.2" });
    });
  }

  for (const path of ["/rpc/v0_6", "/rpc/v0_10_4", "/rpc/v1_0"]) {
    test(`${path} gets an error with the served versions`, async () => {
      expect(await (await post(path)).json()).toMatchObject({
        id: 1,
        error: { code: -32601, data: expect.stringContaining("served: 0.10.2") },
      });
    });
  }

  test("an unknown path gets 404", async () => {
    expect((await post("/nothing")).status).toBe(404);
  });

  test("GET on a JSON-RPC path gets 405 with POST as the allowed method", async () => {
    const response = await fetch(`${url}/`);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("DELETE gets 405", async () => {
    expect((await fetch(`${url}/`, { method: "DELETE" })).status).toBe(405);
  });
});

describe("responses", () => {
  test("are JSON", async () => {
    expect((await post("/")).headers.get("content-type")).toBe("application/json");
  });

  test("to notifications are empty", async () => {
    const response = await post("/", { body: '{"jsonrpc":"2.0","method":"starknet_chainId"}' });
    expect([response.status, await response.text()]).toEqual([204, ""]);
  });

  test("to batches are arrays", async () => {
    expect(await (await post("/", { body: `[${BODY},${BODY}]` })).json()).toHaveLength(2);
  });
});

describe("body limit", () => {
  const small = start({ limits: { maxBodyBytes: 1000 } });
  const long = `${BODY}${" ".repeat(2000)}`;

  test("rejects a longer body with 413 and a JSON error", async () => {
    const response = await post("/", { body: long }, small);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({
      error: { code: -32600, data: "the body is longer than 1000 bytes" },
    });
  });

  test("applies to bodies without a length", async () => {
    const chunks = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let i = 0; i < 20; i++) controller.enqueue(new Uint8Array(100).fill(0x20));
        controller.close();
      },
    });
    expect((await post("/", { body: chunks }, small)).status).toBe(413);
  });

  test("admits a shorter body without a length", async () => {
    const chunks = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(BODY));
        controller.close();
      },
    });
    expect(await (await post("/", { body: chunks }, small)).json()).toMatchObject({
      result: "0.10.2",
    });
  });
});

describe("health", () => {
  test("GET /health is OK", async () => {
    const response = await fetch(`${url}/health`);
    expect([response.status, await response.text()]).toEqual([200, "OK"]);
  });

  test("GET /ready is 200 once the chain has a block", async () => {
    const response = await fetch(`${url}/ready`);
    expect([response.status, await response.json()]).toEqual([
      200,
      { ready: true, block_number: 1, lag: 0 },
    ]);
  });

  test("GET /ready is 503 before the first block", async () => {
    const response = await fetch(`${await start({ context: emptyContext() })}/ready`);
    expect([response.status, await response.json()]).toEqual([
      503,
      { ready: false, block_number: null, lag: 0, reason: "there are no blocks yet" },
    ]);
  });

  const behind = { highestBlock: 6, isInSync: false, reason: undefined };
  const lagging = start({ following: behind });
  const aged = start({ following: { ...behind, isInSync: true, sourceAgeSeconds: 7 } });
  const refusing = start({ following: { ...behind, isInSync: true, reason: "refused" } });

  for (const [lag, status] of [
    [4, 503],
    [5, 200],
  ] as const) {
    test(`5 blocks behind, max_lag=${lag} is ${status}`, async () => {
      expect((await fetch(`${await lagging}/ready?max_lag=${lag}`)).status).toBe(status);
    });
  }

  test("GET /ready includes the age of the source data", async () => {
    const response = await fetch(`${await aged}/ready?max_lag=5`);
    expect(await response.json()).toEqual({
      ready: true,
      ...{ block_number: 1, lag: 5, source_age_seconds: 7 },
    });
  });

  test("GET /ready is 503 while not in sync unless max_lag permits it", async () => {
    const response = await fetch(`${await lagging}/ready`);
    expect([response.status, await response.json()]).toEqual([
      503,
      { ready: false, block_number: 1, lag: 5, reason: "not in sync yet" },
    ]);
  });

  test("GET /ready reports reasons other than lag whatever max_lag is", async () => {
    const response = await fetch(`${await refusing}/ready?max_lag=100`);
    expect([response.status, await response.json()]).toEqual([
      503,
      { ready: false, block_number: 1, lag: 5, reason: "refused" },
    ]);
  });

  test("GET /ready is 400 if max_lag is not a number", async () => {
    expect((await fetch(`${url}/ready?max_lag=few`)).status).toBe(400);
  });
});

describe("listening", () => {
  test("on a port in use fails with a clear error", async () => {
    const port = Number(new URL(url).port);
    const failure: unknown = await start({ port }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NodeError);
    expect((failure as NodeError).message).toBe(
      `JSON-RPC: port ${port} on 127.0.0.1 is in use; choose another one with --rpc-port`,
    );
  });

  test("ends with stop", async () => {
    const server = await serveSample();
    await server.stop();
    const refused = await fetch(`http://127.0.0.1:${server.port}/health`).catch(() => "refused");
    expect(refused).toBe("refused");
  });
});

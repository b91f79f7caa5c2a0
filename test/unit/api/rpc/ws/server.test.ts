import { afterEach, describe, expect, test } from "bun:test";
import { LiveFeed } from "#api/rpc/index.ts";
import { INVOKE_V3 } from "#test/helpers/sample-chain.ts";
import { RawConnection, rawHandshake, rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import { WsClient } from "#test/helpers/ws-client.ts";
import { clientFrame, closeOf, serverFrames } from "#test/helpers/ws-frames.ts";
import { type SampleOptions, type SampleServer, serveSample } from "#test/helpers/sample-server.ts";
import { SILENT_WS, type FullContext } from "#test/helpers/serving.ts";

const servers: SampleServer[] = [];
const raws: RawConnection[] = [];

afterEach(async () => {
  for (const raw of raws.splice(0)) raw.close();
  await Promise.all(servers.splice(0).map((server) => server.stop(0)));
});

async function serve(options: SampleOptions<FullContext> = {}): Promise<SampleServer> {
  const server = await serveSample(options);
  servers.push(server);
  return server;
}

const urlOf = ({ port }: SampleServer, path = "/"): string => `ws://127.0.0.1:${port}${path}`;

const handshake = (...headers: string[]): string => rawHandshake("/", headers);

async function rawOf({ port }: SampleServer): Promise<RawConnection> {
  const raw = await RawConnection.open(port);
  raws.push(raw);
  return raw;
}

/** Raw connection after its handshake. */
async function openWebSocket(server: SampleServer): Promise<RawConnection> {
  const raw = (await rawOf(server)).send(handshake());
  const [answer] = await raw.responses(1);
  expect(answer?.status).toBe(101);
  return raw;
}

describe("WebSocket", () => {
  test.each(["/", "/rpc", "/rpc/v0_10", "/rpc/v0_10_2", "/v0.9.0", "/rpc/v0_8_1", "/rpc/v0_7"])(
    "on %s serves the methods of its version",
    async (path) => {
      const server = await serve();
      const client = await WsClient.open(urlOf(server, path));
      expect(await client.ask("starknet_blockNumber")).toMatchObject({ result: 1 });
      const { result: version } = await client.ask("chain_specVersion");
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        method: "POST",
        body: rpcBody(1, "specVersion"),
      });
      expect(await response.json()).toMatchObject({ result: version });
      client.close();
    },
  );

  test("has no subscriptions in 0.7", async () => {
    const client = await WsClient.open(urlOf(await serve(), "/rpc/v0_7"));
    expect(await client.ask("starknet_subscribeNewHeads")).toMatchObject({
      error: { code: -32601 },
    });
    client.close();
  });

  test("answers batches, errors and invalid JSON like POST", async () => {
    const client = await WsClient.open(urlOf(await serve()));
    client.send([
      { jsonrpc: "2.0", id: "a", method: "starknet_blockNumber" },
      { jsonrpc: "2.0", method: "starknet_blockNumber" },
      { jsonrpc: "2.0", id: "b", method: "starknet_nothing" },
    ]);
    const batch = await client.take(Array.isArray);
    expect(batch as unknown).toMatchObject([{ id: "a", result: 1 }, { id: "b" }]);
    client.send("{");
    expect(await client.take(() => true)).toMatchObject({ id: null, error: { code: -32700 } });
    client.close();
  });

  test("sends notifications after the subscription id, also in a batch", async () => {
    const client = await WsClient.open(urlOf(await serve()));
    client.send([
      {
        jsonrpc: "2.0",
        id: 1,
        method: "starknet_subscribeNewHeads",
        params: { block_id: { block_number: 0 } },
      },
    ]);
    const first = await client.take(() => true);
    expect(first as unknown).toEqual([{ jsonrpc: "2.0", id: 1, result: expect.any(String) }]);
    const second = await client.take(() => true);
    expect(second).toMatchObject({ method: "starknet_subscriptionNewHeads" });
    client.close();
  });

  test("receives transactions of the feed", async () => {
    const feed = new LiveFeed();
    const client = await WsClient.open(urlOf(await serve({ feed })));
    await client.ask("starknet_subscribeNewTransactions", { finality_status: ["RECEIVED"] });
    await Bun.sleep(20);
    feed.received({ hash: 0x77n, transaction: INVOKE_V3 });
    const { params } = await client.take(({ method }) => method !== undefined);
    expect(params).toMatchObject({ result: { transaction_hash: "0x77" } });
    client.close();
  });
});

test("a subscription over HTTP is not found, and the error refers to WebSocket", async () => {
  const { port } = await serve();
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: "POST",
    body: rpcBody(1, "subscribeNewHeads"),
  });
  expect(await response.json()).toMatchObject({
    error: { code: -32601, data: expect.stringContaining("WebSocket") },
  });
});

describe("WebSocket handshake", () => {
  test("is accepted after other requests on its connection", async () => {
    const raw = await rawOf(await serve());
    raw.send(rawPost(rpcBody(1, "blockNumber")));
    await raw.responses(1);
    raw.send(handshake());
    expect((await raw.responses(1))[0]?.headers["sec-websocket-accept"]).toBe(
      "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
    );
  });

  test("of a foreign origin is rejected", async () => {
    const raw = await rawOf(await serve());
    raw.send(handshake("origin: https://evil.example"));
    expect((await raw.responses(1))[0]?.status).toBe(403);
  });

  test("of an allowed origin is accepted", async () => {
    const raw = await rawOf(await serve({ cors: ["https://app.example"] }));
    raw.send(handshake("origin: https://app.example"));
    expect((await raw.responses(1))[0]?.status).toBe(101);
  });

  test("with a foreign Host is rejected", async () => {
    const raw = await rawOf(await serve());
    raw.send(handshake().replace("host: localhost", "host: evil.example"));
    expect((await raw.responses(1))[0]?.status).toBe(403);
  });

  test.each([
    [
      "is followed by bytes before its response",
      handshake() + clientFrame("{}").toString("latin1"),
    ],
    ["has a body", handshake("content-length: 2") + "{}"],
    ["uses HTTP/1.0", handshake().replace("HTTP/1.1", "HTTP/1.0")],
  ])("that %s is rejected", async (_, bytes) => {
    const raw = await rawOf(await serve());
    raw.send(bytes);
    expect((await raw.responses(1))[0]?.status).toBe(400);
    expect(await raw.ends()).toBe(true);
  });

  test("on a path without JSON-RPC, or as a POST, does not upgrade", async () => {
    const raw = await rawOf(await serve());
    raw.send(handshake().replace("GET / ", "GET /health "));
    expect((await raw.responses(1))[0]?.status).toBe(200);
    const other = await rawOf(await serve());
    other.send(handshake("content-length: 2").replace("GET / ", "POST / ") + "{}");
    expect((await other.responses(1))[0]?.status).toBe(200);
  });
});

test("a GET without a handshake gets 405", async () => {
  const { port } = await serve();
  expect((await fetch(`http://127.0.0.1:${port}`)).status).toBe(405);
});

test("a binary message with JSON gets a text response", async () => {
  const client = await WsClient.open(urlOf(await serve()));
  client.socket.send(new TextEncoder().encode(rpcBody(7, "blockNumber")));
  expect(await client.take(({ id }) => id === 7)).toMatchObject({ result: 1 });
  client.close();
});

describe("close code of a connection", () => {
  const codeOf = async (server: SampleServer, ...frames: Uint8Array[]): Promise<unknown> => {
    const raw = await openWebSocket(server);
    raw.send(Buffer.concat(frames));
    expect(await raw.ends()).toBe(true);
    const { frames: sent } = serverFrames(Buffer.from(raw.rest, "latin1"));
    return sent.filter(({ opcode }) => opcode === 8).map((frame) => closeOf(frame)[0]);
  };

  test("is 1009 for messages above the body limit", async () => {
    const server = await serve({ limits: { maxBodyBytes: 1_000 } });
    expect(await codeOf(server, clientFrame("x".repeat(1_001)))).toEqual([1009]);
  });

  test("is 1002 for unmasked frames", async () => {
    expect(await codeOf(await serve(), clientFrame("{}", { mask: null }))).toEqual([1002]);
  });

  test("is 1001 on a server stop, after pending responses", async () => {
    const { promise: hasStarted, resolve: start } = Promise.withResolvers<void>();
    const { promise, resolve } = Promise.withResolvers<Uint8Array>();
    const queryPool = { run: () => (start(), promise) };
    const server = await serve({ queryPool });
    const client = await WsClient.open(urlOf(server));
    const answer = client.ask("starknet_getBlockWithTxHashes", ["latest"]);
    await hasStarted;
    const stopped = server.stop(5_000);
    await Bun.sleep(10);
    resolve(Buffer.from('{"result":7}'));
    expect(await answer).toMatchObject({ result: 7 });
    expect(await client.closed).toEqual([1001, "the node is stopping"]);
    await stopped;
  });

  test("is 1001 on a server stop", async () => {
    const server = await serve();
    const client = await WsClient.open(urlOf(server));
    await server.stop(1_000);
    expect(await client.closed).toEqual([1001, "the node is stopping"]);
  });
});

test("a connection runs a limited number of requests concurrently, and all in the end", async () => {
  let running = 0;
  let maxRunning = 0;
  // No request completes until the maximum is in flight.
  const isFull = Promise.withResolvers<void>();
  const queryPool = {
    async run() {
      maxRunning = Math.max(maxRunning, ++running);
      if (maxRunning === 3) isFull.resolve();
      await isFull.promise;
      await Bun.sleep(1);
      running--;
      return Buffer.from('{"result":7}');
    },
  };
  const server = await serve({ queryPool, webSockets: { limits: { maxInFlight: 3 } } });
  const client = await WsClient.open(urlOf(server));
  const requests = Array.from({ length: 100 }, () =>
    client.ask("starknet_getBlockWithTxHashes", ["latest"]),
  );
  const answers = await Promise.all(requests);
  expect([maxRunning, answers.every(({ result }) => result === 7)]).toEqual([3, true]);
  client.close();
});

test("WebSocket calls count against the rate limit of their address", async () => {
  const server = await serve({ rateLimit: { perSecond: 0.01, burst: 2 } });
  const client = await WsClient.open(urlOf(server));
  const answers = [];
  for (let i = 0; i < 3; i++) answers.push(await client.ask("starknet_blockNumber"));
  expect(answers).toMatchObject([{ result: 1 }, { result: 1 }, { id: 3, error: { code: -32005 } }]);
  client.close();
});

test("subscriptions of a connection are limited", async () => {
  const server = await serve({ webSockets: { limits: { maxSubscriptions: 1 } } });
  const client = await WsClient.open(urlOf(server));
  expect(await client.ask("starknet_subscribeNewHeads")).toHaveProperty("result");
  expect(await client.ask("starknet_subscribeNewHeads")).toHaveProperty("error");
  client.close();
});

test("WebSocket calls are reported to a separate observer", async () => {
  const seen: string[] = [];
  const observer = (name: string) => ({
    started: (method: string) => void seen.push(`${name} ${method}`),
    finished: () => undefined,
    internalError: () => undefined,
  });
  const server = await serve({
    observer: observer("http"),
    webSocketObserver: { ...SILENT_WS, ...observer("ws") },
  });
  const client = await WsClient.open(urlOf(server));
  await client.ask("starknet_blockNumber");
  await client.ask("starknet_subscribeNewHeads");
  expect(seen).toEqual(["ws blockNumber", "ws subscribeNewHeads"]);
  client.close();
});

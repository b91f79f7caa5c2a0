import { afterEach, describe, expect, test } from "bun:test";
import { LiveFeed } from "#api/rpc/index.ts";
import { INVOKE_V3 } from "#test/helpers/sample-chain.ts";
import { RawConnection, rawHandshake, rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import { WsClient } from "#test/helpers/ws-client.ts";
import { clientFrame, closeOf, serverFrames } from "#test/helpers/ws-frames.ts";
import { type SampleOptions, type SampleServer, serveSample } from "#test/helpers/sample-server.ts";
import { SILENT_WS, type WholeContext } from "#test/helpers/serving.ts";

const servers: SampleServer[] = [];
const raws: RawConnection[] = [];

afterEach(async () => {
  for (const raw of raws.splice(0)) raw.close();
  await Promise.all(servers.splice(0).map((server) => server.stop(0)));
});

async function serve(options: SampleOptions<WholeContext> = {}): Promise<SampleServer> {
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

/** A raw connection behind its handshake. */
async function opened(server: SampleServer): Promise<RawConnection> {
  const raw = (await rawOf(server)).send(handshake());
  const [answer] = await raw.responses(1);
  expect(answer?.status).toBe(101);
  return raw;
}

describe("a WebSocket", () => {
  test.each(["/", "/rpc", "/rpc/v0_10", "/rpc/v0_10_2", "/v0.9.0", "/rpc/v0_8_1", "/rpc/v0_7"])(
    "on %s answers the methods of its version",
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

  test("answers batches, errors and what is no JSON as POST does", async () => {
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

  test("sends notifications behind the id of their subscription, also in a batch", async () => {
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

  test("hears of what the feed tells", async () => {
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

test("subscriptions over HTTP are not found, and the answer says where they are", async () => {
  const { port } = await serve();
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: "POST",
    body: rpcBody(1, "subscribeNewHeads"),
  });
  expect(await response.json()).toMatchObject({
    error: { code: -32601, data: expect.stringContaining("WebSocket") },
  });
});

describe("a handshake", () => {
  test("behind other requests on the same connection is taken in its turn", async () => {
    const raw = await rawOf(await serve());
    raw.send(rawPost(rpcBody(1, "blockNumber")));
    await raw.responses(1);
    raw.send(handshake());
    expect((await raw.responses(1))[0]?.headers["sec-websocket-accept"]).toBe(
      "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
    );
  });

  test("of a page of another origin is refused", async () => {
    const raw = await rawOf(await serve());
    raw.send(handshake("origin: https://evil.example"));
    expect((await raw.responses(1))[0]?.status).toBe(403);
  });

  test("of a page of an allowed origin is taken", async () => {
    const raw = await rawOf(await serve({ cors: ["https://app.example"] }));
    raw.send(handshake("origin: https://app.example"));
    expect((await raw.responses(1))[0]?.status).toBe(101);
  });

  test("for a host that is not this one is refused", async () => {
    const raw = await rawOf(await serve());
    raw.send(handshake().replace("host: localhost", "host: evil.example"));
    expect((await raw.responses(1))[0]?.status).toBe(403);
  });

  test.each([
    [
      "has bytes behind it before it is answered",
      handshake() + clientFrame("{}").toString("latin1"),
    ],
    ["has a body", handshake("content-length: 2") + "{}"],
    ["is of HTTP/1.0", handshake().replace("HTTP/1.1", "HTTP/1.0")],
  ])("that %s is refused", async (_, bytes) => {
    const raw = await rawOf(await serve());
    raw.send(bytes);
    expect((await raw.responses(1))[0]?.status).toBe(400);
    expect(await raw.ends()).toBe(true);
  });

  test("for a path without JSON-RPC, or a POST, opens nothing", async () => {
    const raw = await rawOf(await serve());
    raw.send(handshake().replace("GET / ", "GET /health "));
    expect((await raw.responses(1))[0]?.status).toBe(200);
    const other = await rawOf(await serve());
    other.send(handshake("content-length: 2").replace("GET / ", "POST / ") + "{}");
    expect((await other.responses(1))[0]?.status).toBe(200);
  });
});

test("a GET without a handshake is told to POST", async () => {
  const { port } = await serve();
  expect((await fetch(`http://127.0.0.1:${port}`)).status).toBe(405);
});

test("bytes that hold JSON are answered as text is, in text", async () => {
  const client = await WsClient.open(urlOf(await serve()));
  client.socket.send(new TextEncoder().encode(rpcBody(7, "blockNumber")));
  expect(await client.take(({ id }) => id === 7)).toMatchObject({ result: 1 });
  client.close();
});

describe("a connection ends with a code", () => {
  const codeOf = async (server: SampleServer, ...frames: Uint8Array[]): Promise<unknown> => {
    const raw = await opened(server);
    raw.send(Buffer.concat(frames));
    expect(await raw.ends()).toBe(true);
    const { frames: sent } = serverFrames(Buffer.from(raw.rest, "latin1"));
    return sent.filter(({ opcode }) => opcode === 8).map((frame) => closeOf(frame)[0]);
  };

  test("for messages as long as no body may be", async () => {
    const server = await serve({ limits: { maxBodyBytes: 1_000 } });
    expect(await codeOf(server, clientFrame("x".repeat(1_001)))).toEqual([1009]);
  });

  test("for frames without a mask", async () => {
    expect(await codeOf(await serve(), clientFrame("{}", { mask: null }))).toEqual([1002]);
  });

  test("when the server stops, behind the answers to what is under way", async () => {
    const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
    const { promise, resolve } = Promise.withResolvers<Uint8Array>();
    const queryPool = { run: () => (asked(), promise) };
    const server = await serve({ queryPool });
    const client = await WsClient.open(urlOf(server));
    const answer = client.ask("starknet_getBlockWithTxHashes", ["latest"]);
    await isAsked;
    const stopped = server.stop(5_000);
    await Bun.sleep(10);
    resolve(Buffer.from('{"result":7}'));
    expect(await answer).toMatchObject({ result: 7 });
    expect(await client.closed).toEqual([1001, "the node is stopping"]);
    await stopped;
  });

  test("when the server stops", async () => {
    const server = await serve();
    const client = await WsClient.open(urlOf(server));
    await server.stop(1_000);
    expect(await client.closed).toEqual([1001, "the node is stopping"]);
  });
});

test("so many requests of a connection are answered at a time, and all of them in the end", async () => {
  let running = 0;
  let most = 0;
  // Until so many are in flight none is answered, however slowly they come.
  const isFull = Promise.withResolvers<void>();
  const queryPool = {
    async run() {
      most = Math.max(most, ++running);
      if (most === 3) isFull.resolve();
      await isFull.promise;
      await Bun.sleep(1);
      running--;
      return Buffer.from('{"result":7}');
    },
  };
  const server = await serve({ queryPool, webSockets: { limits: { maxInFlight: 3 } } });
  const client = await WsClient.open(urlOf(server));
  const asked = Array.from({ length: 100 }, () =>
    client.ask("starknet_getBlockWithTxHashes", ["latest"]),
  );
  const answers = await Promise.all(asked);
  expect([most, answers.every(({ result }) => result === 7)]).toEqual([3, true]);
  client.close();
});

test("calls over WebSocket count against the rate of their address", async () => {
  const server = await serve({ rateLimit: { perSecond: 0.01, burst: 2 } });
  const client = await WsClient.open(urlOf(server));
  const answers = [];
  for (let i = 0; i < 3; i++) answers.push(await client.ask("starknet_blockNumber"));
  expect(answers).toMatchObject([{ result: 1 }, { result: 1 }, { id: 3, error: { code: -32005 } }]);
  client.close();
});

test("a connection has as many subscriptions as the server lets it have", async () => {
  const server = await serve({ webSockets: { limits: { maxSubscriptions: 1 } } });
  const client = await WsClient.open(urlOf(server));
  expect(await client.ask("starknet_subscribeNewHeads")).toHaveProperty("result");
  expect(await client.ask("starknet_subscribeNewHeads")).toHaveProperty("error");
  client.close();
});

test("what is asked over WebSocket is told to an observer of its own", async () => {
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

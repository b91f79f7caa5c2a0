import { afterAll, describe, expect, test } from "bun:test";
import { NodeError } from "#base/errors/index.ts";
import {
  createMethodTables,
  createRpcServer,
  type RpcServer,
  type RpcServerOptions,
} from "#api/rpc/index.ts";
import { emptyContext, sampleContext } from "#test/helpers/sample-chain.ts";

const servers: RpcServer[] = [];

async function start(options: Partial<RpcServerOptions> = {}): Promise<string> {
  const server = await createRpcServer({
    port: 0,
    context: sampleContext(),
    tables: createMethodTables(),
    ...options,
  });
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

const url = await start();
const BODY = '{"jsonrpc":"2.0","id":1,"method":"starknet_specVersion"}';

interface PostOptions {
  readonly body?: string | ReadableStream<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
}

async function post(
  path: string,
  options: PostOptions = {},
  base: string | Promise<string> = url,
): Promise<Response> {
  const { body = BODY, headers = {} } = options;
  return fetch((await base) + path, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });
}

describe("paths", () => {
  for (const path of [
    "/",
    "/rpc",
    "/rpc/",
    "/rpc/v0_10",
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

  for (const path of ["/rpc/v0_6", "/rpc/v0_10_1", "/rpc/v1_0"]) {
    test(`${path} names the versions that are served`, async () => {
      expect(await (await post(path)).json()).toMatchObject({
        id: 1,
        error: { code: -32601, data: expect.stringContaining("served: 0.10.2") },
      });
    });
  }

  test("an unknown path is 404", async () => {
    expect((await post("/nothing")).status).toBe(404);
  });

  test("GET on a JSON-RPC path is 405 and names POST", async () => {
    const response = await fetch(`${url}/`);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("DELETE is 405", async () => {
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

describe("the body limit", () => {
  const small = start({ limits: { maxBodyBytes: 1000 } });
  const long = `${BODY}${" ".repeat(2000)}`;

  test("refuses a longer body with JSON and 413", async () => {
    const response = await post("/", { body: long }, small);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({
      error: { code: -32600, data: "the body is longer than 1000 bytes" },
    });
  });

  test("holds for bodies without a length", async () => {
    const chunks = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let i = 0; i < 20; i++) controller.enqueue(new Uint8Array(100).fill(0x20));
        controller.close();
      },
    });
    expect((await post("/", { body: chunks }, small)).status).toBe(413);
  });

  test("takes a body without a length below it", async () => {
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

describe("CORS", () => {
  const origin = (
    value: string,
    base: string | Promise<string> = url,
    headers: Record<string, string> = {},
  ) => post("/", { headers: { origin: value, ...headers } }, base);
  const allowed = (response: Response): string | null =>
    response.headers.get("access-control-allow-origin");

  for (const page of [
    "http://localhost",
    "http://localhost:3000",
    "https://localhost:5173",
    "http://127.0.0.1:8080",
    "https://127.0.0.1",
  ]) {
    test(`by default ${page} may read`, async () => {
      expect(allowed(await origin(page))).toBe(page);
    });
  }

  for (const page of [
    "https://example.org",
    "http://localhost.example.org",
    "http://localhost:3000.example.org",
    "http://127.0.0.2",
    "null",
  ]) {
    test(`by default ${page} may not read`, async () => {
      expect(allowed(await origin(page))).toBeNull();
    });
  }

  test("answers of the default vary by origin", async () => {
    expect((await origin("https://example.org")).headers.get("vary")).toBe("origin");
  });

  test("a form post of a foreign page is not run", async () => {
    const response = await origin("https://example.org", url, { "content-type": "text/plain" });
    expect(response.status).toBe(403);
  });

  test("`all` allows every origin", async () => {
    expect(allowed(await origin("https://example.org", start({ cors: "all" })))).toBe("*");
  });

  test("a list allows its origins and no other", async () => {
    const listed = start({ cors: ["https://app.example.org"] });
    expect([
      allowed(await origin("https://app.example.org", listed)),
      allowed(await origin("http://localhost", listed)),
    ]).toEqual(["https://app.example.org", null]);
  });

  test("a preflight names methods and headers", async () => {
    const response = await fetch(`${url}/rpc`, {
      method: "OPTIONS",
      headers: {
        origin: "http://localhost:3000",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,x-api-key",
      },
    });
    expect([
      response.status,
      allowed(response),
      response.headers.get("access-control-allow-methods"),
      response.headers.get("access-control-allow-headers"),
    ]).toEqual([204, "http://localhost:3000", "GET, POST, OPTIONS", "content-type,x-api-key"]);
  });
});

describe("the Host header", () => {
  const status = async (host: string, base: string | Promise<string> = url): Promise<number> =>
    (await post("/", { headers: { host } }, base)).status;

  for (const host of ["localhost:9944", "127.0.0.1", "[::1]:9944", "10.0.0.7:9944"]) {
    test(`${host} is answered`, async () => {
      expect(await status(host)).toBe(200);
    });
  }

  test("a domain name is refused: it may have been rebound", async () => {
    expect(await status("evil.example.org:9944")).toBe(403);
  });

  test("a domain name can be listed", async () => {
    expect(await status("node.example.org", start({ hosts: ["node.example.org"] }))).toBe(200);
  });

  test("is not looked at when every origin is allowed", async () => {
    expect(await status("node.example.org", start({ cors: "all" }))).toBe(200);
  });
});

describe("health", () => {
  test("GET /health is OK", async () => {
    const response = await fetch(`${url}/health`);
    expect([response.status, await response.text()]).toEqual([200, "OK"]);
  });

  test("GET /ready is 200 once there is a block", async () => {
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

  const lagging = start({
    context: sampleContext({
      syncStatus: () => ({
        startingBlock: { number: 0, hash: 1n },
        currentBlock: { number: 1, hash: 2n },
        highestBlock: { number: 6, hash: 3n },
      }),
    }),
  });

  for (const [lag, status] of [
    [4, 503],
    [5, 200],
  ] as const) {
    test(`5 blocks behind, max_lag=${lag} is ${status}`, async () => {
      expect((await fetch(`${await lagging}/ready?max_lag=${lag}`)).status).toBe(status);
    });
  }

  test("a max_lag that is no number is 400", async () => {
    expect((await fetch(`${url}/ready?max_lag=few`)).status).toBe(400);
  });
});

describe("listening", () => {
  test("on a port in use is a clear error", async () => {
    const { port } = servers[0] ?? { port: 0 };
    const failure: unknown = await start({ port }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NodeError);
    expect((failure as NodeError).message).toBe(
      `JSON-RPC: port ${port} on 127.0.0.1 is in use; choose another one with --rpc-port`,
    );
  });

  test("ends with stop", async () => {
    const server = await createRpcServer({
      port: 0,
      context: sampleContext(),
      tables: createMethodTables(),
    });
    await server.stop();
    const refused = await fetch(`http://127.0.0.1:${server.port}/health`).catch(() => "refused");
    expect(refused).toBe("refused");
  });
});

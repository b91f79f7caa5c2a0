import { describe, expect, test } from "bun:test";
import type { HostPolicy } from "#api/rpc/http/hosts.ts";
import { httpHandler, httpRequest, textOf } from "#test/helpers/http-handler.ts";

const handler = httpHandler();
const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain;charset=utf-8";

const NOT_FOUND =
  "Not found. JSON-RPC: POST / or /rpc/v0_10. Also GET /health, /ready, /openrpc.json.\n";
const useOf = (allow: string) => `Method not allowed. Use ${allow}.\n`;

const ANSWERS = [
  ["POST", "/", 200, JSON_TYPE, '"answer"'],
  ["POST", "/rpc", 200, JSON_TYPE, '"answer"'],
  ["POST", "/rpc/", 200, JSON_TYPE, '"answer"'],
  ["POST", "/ws", 200, JSON_TYPE, '"answer"'],
  ["POST", "/rpc/v0_10", 200, JSON_TYPE, '"answer"'],
  ["POST", "/rpc/v0_10_2/", 200, JSON_TYPE, '"answer"'],
  ["POST", "/V0.10.2?key=/health", 200, JSON_TYPE, '"answer"'],
  ["POST", "/rpc/v00_010", 200, JSON_TYPE, '"answer"'],
  ["POST", "http://127.0.0.1:9944", 200, JSON_TYPE, '"answer"'],
  ["POST", "http://127.0.0.1:9944/rpc?a=b", 200, JSON_TYPE, '"answer"'],
  ["GET", "/health", 200, TEXT_TYPE, "OK"],
  ["HEAD", "/health", 200, TEXT_TYPE, "OK"],
  ["GET", "/ready", 200, JSON_TYPE, '{"ready":true,"block_number":7,"lag":0}'],
  ["HEAD", "/ready?max_lag=3", 200, JSON_TYPE, '{"ready":true,"block_number":7,"lag":0}'],
  ["POST", "/RPC", 404, TEXT_TYPE, NOT_FOUND],
  ["POST", "/health", 404, TEXT_TYPE, NOT_FOUND],
  ["POST", "/ready", 404, TEXT_TYPE, NOT_FOUND],
  ["POST", "//", 404, TEXT_TYPE, NOT_FOUND],
  ["POST", "/rpc/v0_10/more", 404, TEXT_TYPE, NOT_FOUND],
  ["POST", "/rpc/%76%30_10", 404, TEXT_TYPE, NOT_FOUND],
  ["GET", "/HEALTH", 404, TEXT_TYPE, NOT_FOUND],
  ["GET", "/health/", 404, TEXT_TYPE, NOT_FOUND],
  ["GET", "/metrics", 404, TEXT_TYPE, NOT_FOUND],
  ["GET", "/__proto__", 404, TEXT_TYPE, NOT_FOUND],
  ["HEAD", "/nothing", 404, TEXT_TYPE, NOT_FOUND],
  ["GET", "/", 405, TEXT_TYPE, useOf("POST")],
  ["HEAD", "/", 405, TEXT_TYPE, useOf("POST")],
  ["GET", "/rpc/v0_10", 405, TEXT_TYPE, useOf("POST")],
  ["GET", "/rpc/v0_6", 405, TEXT_TYPE, useOf("POST")],
  ["PUT", "/", 405, TEXT_TYPE, useOf("GET, POST, OPTIONS")],
  ["DELETE", "/health", 405, TEXT_TYPE, useOf("GET, POST, OPTIONS")],
  ["PATCH", "/nothing", 405, TEXT_TYPE, useOf("GET, POST, OPTIONS")],
  ["M-SEARCH", "/", 405, TEXT_TYPE, useOf("GET, POST, OPTIONS")],
] as const;

describe("host policy", () => {
  const statusOf = async (hosts: HostPolicy, host: string): Promise<number> => {
    const reply = await httpHandler({ hosts })(httpRequest("GET", "/health", { host }));
    return reply.status;
  };

  test.each([
    ["local", "localhost:9944", 200],
    ["local", "10.0.0.1:9944", 200],
    ["local", "node.example", 403],
    [["node.example"], "Node.example:9944", 200],
    [["node.example"], "127.0.0.1", 200],
    [["node.example"], "other.example", 403],
    [["node.example"], "node.example.evil", 403],
    ["any", "other.example", 200],
  ] as const)("%p responds to a request for %s with %i", async (hosts, host, status) => {
    expect(await statusOf(hosts, host)).toBe(status);
  });
});

describe("request", () => {
  for (const [method, url, status, type, body] of ANSWERS) {
    test(`${method} ${url} gets ${status}`, async () => {
      const reply = await handler(httpRequest(method, url, { host: "localhost" }));
      expect([reply.status, reply.headers["content-type"] ?? "", textOf(reply)]).toEqual([
        status,
        type,
        body,
      ]);
      if (status === 405) expect(body).toBe(useOf(reply.headers["allow"] ?? ""));
    });
  }

  test("gets the same response when repeated, also after the route cache overflows", async () => {
    for (let round = 0; round < 3; round++) {
      for (const [method, url, status, , body] of ANSWERS) {
        const reply = await handler(httpRequest(method, url, { host: "localhost" }));
        expect([reply.status, textOf(reply)]).toEqual([status, body]);
      }
      for (let i = 0; round === 1 && i < 200; i++) {
        const reply = await handler(httpRequest("POST", `/?${i}`, { host: "localhost" }));
        expect(textOf(reply)).toBe('"answer"');
      }
    }
  });

  test.each([
    [
      "0.10.2",
      [
        "/",
        "/rpc",
        "/rpc/v0_10",
        "/rpc/v0_10_0",
        "/rpc/v0.10.1",
        "/rpc/v0_10_2",
        "/rpc/v0_10_3",
        "/ws/rpc",
        "/ws/rpc/v0_10",
        "/ws/v0_10_2",
        "/v0.10.2",
        "/v0_10",
      ],
    ],
    ["0.9.0", ["/rpc/v0_9", "/ws/rpc/v0_9", "/rpc/v0_9_0", "/rpc/v0.9", "/rpc/v0.9.0", "/v0_9"]],
    [
      "0.8.1",
      [
        "/rpc/v0_8",
        "/rpc/v0_8_0",
        "/rpc/v0.8.0",
        "/rpc/v0_8_1",
        "/rpc/v0.8",
        "/rpc/v0.8.1",
        "/v0.8.1",
      ],
    ],
    ["0.7.1", ["/rpc/v0_7", "/rpc/v0.7.0", "/rpc/v0_7_1", "/rpc/v0.7", "/rpc/v0.7.1", "/v0.7/"]],
  ] as const)("gets version %s on the paths of that version", async (version, urls) => {
    const versionHandler = httpHandler({
      dispatcher: { handle: (_, { spec }) => Promise.resolve(spec.version) },
    });
    for (const url of urls) {
      const reply = await versionHandler(httpRequest("POST", url, {}, "{}"));
      expect([url, textOf(reply)]).toEqual([url, version]);
    }
  });

  test.each(["/rpc/v0_6", "/v99999999999999999999_1", "/rpc/v0.10.4"])(
    "POST %s gets an error with the unsupported version",
    async (url) => {
      const reply = await handler(httpRequest("POST", url, {}, '{"id":5,"method":"a"}'));
      const version = url.replace(/^.*v/, "v").replaceAll("_", ".");
      expect([reply.status, JSON.parse(textOf(reply))]).toEqual([
        200,
        {
          jsonrpc: "2.0",
          id: 5,
          error: {
            code: -32601,
            message: "Unsupported RPC version",
            data: `version ${version} is not served here; served: 0.10.2, 0.9.0, 0.8.1, 0.7.1`,
          },
        },
      ]);
    },
  );

  test("with a foreign Host gets 403 on every route", async () => {
    const headers = { host: "example.org" };
    for (const [method, url] of [
      ["POST", "/"],
      ["GET", "/health"],
      ["OPTIONS", "/"],
      ["GET", "/nothing"],
    ] as const) {
      expect((await handler(httpRequest(method, url, headers))).status).toBe(403);
    }
  });

  test("with an allowed Host does not admit a later one with a foreign Host", async () => {
    const statuses = [];
    for (const host of ["localhost:1", "example.org", "localhost:1", "example.org"]) {
      statuses.push((await handler(httpRequest("GET", "/health", { host }))).status);
    }
    expect(statuses).toEqual([200, 403, 200, 403]);
  });
});

test("OPTIONS is answered without an Origin too", async () => {
  const reply = await handler(httpRequest("OPTIONS", "/", { host: "localhost" }));
  expect(reply).toMatchObject({
    status: 204,
    headers: { "access-control-allow-methods": "GET, POST, OPTIONS" },
  });
});

describe("internal failure of a route", () => {
  const failing = httpHandler({
    readiness: () => {
      throw new RangeError("secret");
    },
    dispatcher: { handle: () => Promise.reject(new RangeError("secret")) },
  });

  test.each([
    ["GET", "/ready", {}],
    ["POST", "/", {}],
    ["POST", "/", { origin: "http://localhost" }],
  ] as const)("%s %s %o gets 500 without details", async (method, url, headers) => {
    const reply = await failing(httpRequest(method, url, headers));
    expect([reply.status, JSON.parse(textOf(reply))]).toEqual([
      500,
      { jsonrpc: "2.0", id: null, error: { code: -32603, message: "Internal error" } },
    ]);
  });
});

describe("browser page", () => {
  const headers = { host: "localhost", origin: "http://localhost:3000" };

  test.each([
    ["POST", "/", 200],
    ["GET", "/health", 200],
    ["HEAD", "/health", 200],
    ["POST", "/nothing", 404],
    ["GET", "/", 405],
    ["DELETE", "/", 405],
  ])("may read the response to %s %s, %d", async (method, url, status) => {
    const reply = await handler(httpRequest(method, url, headers));
    expect(reply).toMatchObject({
      status,
      headers: { "access-control-allow-origin": headers.origin, vary: "origin" },
    });
    expect(textOf(reply)).not.toBe("");
  });

  test.each(["/", "/rpc/v0_10", "/health", "/nothing"])(
    "may send a preflight for %s with any headers",
    async (url) => {
      const requestedHeaders = "content-type, x-é\u0080,,\t";
      const reply = await handler(
        httpRequest("OPTIONS", url, {
          ...headers,
          "access-control-request-headers": requestedHeaders,
        }),
      );
      expect(reply).toEqual({
        status: 204,
        headers: {
          "access-control-allow-origin": headers.origin,
          "access-control-allow-methods": "GET, POST, OPTIONS",
          "access-control-allow-headers": "content-type,x-é\u0080,,",
          "access-control-max-age": "86400",
          vary: "origin, access-control-request-headers",
        },
        body: null,
      });
    },
  );

  test("of a foreign origin gets no permission to read, with or without a preflight", async () => {
    const foreign = { ...headers, origin: "https://example.org" };
    for (const method of ["OPTIONS", "POST"]) {
      const reply = await handler(
        httpRequest(method, "/", { ...foreign, "content-type": "application/json" }),
      );
      expect(reply.status).toBeLessThan(300);
      expect(reply.headers["access-control-allow-origin"]).toBeUndefined();
      expect(reply.headers["vary"]).toContain("origin");
    }
  });

  test("of a foreign origin cannot post a form, not even to an unsupported version", async () => {
    const foreign = { ...headers, origin: "https://example.org" };
    for (const url of ["/", "/rpc/v0_6"]) {
      expect((await handler(httpRequest("POST", url, foreign))).status).toBe(403);
    }
  });

  test("does not affect the headers of the next response", async () => {
    await handler(httpRequest("POST", "/", headers));
    const plain = await handler(httpRequest("POST", "/", { host: "localhost" }));
    expect(plain.headers).toEqual({ "content-type": JSON_TYPE });
  });
});

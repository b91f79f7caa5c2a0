import { describe, expect, test } from "bun:test";
import {
  createGatewayHandler,
  type GatewayHandlerDeps,
  type GatewayRoute,
} from "#api/gateway/app.ts";
import { gatewayErrorReply } from "#api/gateway/errors.ts";
import { jsonReply, RateLimiter } from "#api/rpc/index.ts";
import { Caller } from "#api/rpc/limits/caller.ts";
import { httpRequest, textOf } from "#test/helpers/http-handler.ts";

const ROUTES: readonly GatewayRoute[] = [
  { method: "GET", path: "/feeder_gateway/a", answer: () => jsonReply('"a"', 200) },
  { method: "POST", path: "/gateway/b", answer: () => Promise.resolve(jsonReply('"b"', 200)) },
  {
    method: "GET",
    path: "/feeder_gateway/fails",
    answer: () => Promise.reject(new RangeError("no")),
  },
  {
    method: "GET",
    path: "/feeder_gateway/throws",
    answer: () => {
      throw new RangeError("never");
    },
  },
  {
    method: "GET",
    path: "/feeder_gateway/long",
    answer: () => jsonReply(`"${"a".repeat(10_000)}"`, 200),
  },
];
const answered: unknown[] = [];
const failed: unknown[] = [];
const DEPS: GatewayHandlerDeps = {
  routes: ROUTES,
  hosts: "local",
  rateLimiter: null,
  readiness: () => ({ ready: true, blockNumber: 7, lagBlocks: 1, isInSync: true }),
  leads: () => true,
  observer: {
    answered: (route, status) => void answered.push([route, status]),
    internalError: (route, error) => void failed.push([route, error]),
  },
};
const handler = createGatewayHandler(DEPS);
const ask = async (method: string, url: string, headers: Record<string, string> = {}) => {
  const reply = await handler(httpRequest(method, url, { host: "localhost:8080", ...headers }));
  return { status: reply.status, text: textOf(reply), headers: reply.headers };
};

describe("gateway handler", () => {
  test.each([
    ["GET", "/health", 200, "OK"],
    ["GET", "/leader", 200, "OK"],
    ["HEAD", "/leader", 200, "OK"],
    ["GET", "/feeder_gateway/a", 200, '"a"'],
    ["GET", "/feeder_gateway/a?blockNumber=%ff&x", 200, '"a"'],
    ["GET", "http://localhost:8080/feeder_gateway/a?x=1", 200, '"a"'],
    ["HEAD", "/feeder_gateway/a", 200, '"a"'],
    ["POST", "/gateway/b", 200, '"b"'],
    ["GET", "/ready", 200, '{"ready":true,"block_number":7,"lag":1}'],
    [
      "GET",
      "/ready?max_lag=0",
      503,
      '{"ready":false,"block_number":7,"lag":1,"reason":"more than 0 blocks behind"}',
    ],
    ["GET", "/", 404, "Not Found"],
    ["GET", "/feeder_gateway/a/", 404, "Not Found"],
    ["GET", "/feeder_gateway/%61", 404, "Not Found"],
    ["DELETE", "/feeder_gateway", 404, "Not Found"],
    ["GET", "/feeder_gateway/fails", 500, "Internal Server Error"],
  ])("answers %s %s with %p", async (method, url, status, text) => {
    expect(await ask(method, url)).toMatchObject({ status, text });
  });

  test("responds 405 with the allowed methods to another method on a known path", async () => {
    expect(await ask("POST", "/feeder_gateway/a")).toMatchObject({
      status: 405,
      headers: { allow: "GET, HEAD, OPTIONS" },
    });
    expect(await ask("GET", "/gateway/b")).toMatchObject({
      status: 405,
      headers: { allow: "POST, OPTIONS" },
    });
    expect(await ask("HEAD", "/gateway/b")).toMatchObject({ status: 405 });
    expect(await ask("OPTIONS", "/gateway/b")).toMatchObject({
      status: 204,
      text: "",
      headers: { allow: "POST, OPTIONS" },
    });
  });

  test("rejects a foreign Host header when only local hosts are allowed", async () => {
    expect(await ask("GET", "/health", { host: "evil.example" })).toMatchObject({ status: 403 });
    const open = createGatewayHandler({ ...DEPS, hosts: "any" });
    const reply = await open(httpRequest("GET", "/health", { host: "feeder.example" }));
    expect(reply.status).toBe(200);
  });

  test("compresses long responses for clients that accept gzip", async () => {
    const { headers } = await ask("GET", "/feeder_gateway/long", { "accept-encoding": "gzip" });
    expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
    expect((await ask("GET", "/feeder_gateway/long")).text).toHaveLength(10_002);
  });

  test("sends no CORS headers to browser pages and rejects their submissions", async () => {
    const page = { origin: "http://localhost:3000" };
    const { status, headers } = await ask("GET", "/feeder_gateway/a", page);
    expect(status).toBe(200);
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(await ask("POST", "/gateway/b", page)).toMatchObject({ status: 403 });
    expect(await ask("POST", "/gateway/b", { origin: "null" })).toMatchObject({ status: 403 });
  });

  test('reports each response under its route, and unknown paths as "other"', async () => {
    answered.length = 0;
    failed.length = 0;
    await ask("GET", "/feeder_gateway/a?x=1");
    await ask("POST", "/feeder_gateway/a");
    await ask("GET", "/made/up");
    await ask("GET", "/feeder_gateway/fails");
    await ask("GET", "/feeder_gateway/throws");
    await ask("GET", "/health", { host: "evil.example" });
    expect(answered).toEqual([
      ["/feeder_gateway/a", 200],
      ["/feeder_gateway/a", 405],
      ["other", 404],
      ["/feeder_gateway/fails", 500],
      ["/feeder_gateway/throws", 500],
      ["/health", 403],
    ]);
    expect(failed).toEqual([
      ["/feeder_gateway/fails", new RangeError("no")],
      ["/feeder_gateway/throws", new RangeError("never")],
    ]);
  });

  test("rate-limits an address on every path and sends Retry-After", async () => {
    let nowMs = 0;
    const rateLimiter = new RateLimiter({ perSecond: 0.5, burst: 2 }, () => nowMs, 10);
    const limited = createGatewayHandler({ ...DEPS, rateLimiter });
    const host = { host: "localhost" };
    const bypass = { ...host, "x-throttling-bypass": "key" };
    const statusOf = async (url: string, headers = host) =>
      (await limited(httpRequest("GET", url, headers))).status;
    expect(await statusOf("/health")).toBe(200);
    expect(await statusOf("/made/up")).toBe(404);
    expect(await statusOf("/feeder_gateway/a", bypass)).toBe(429);
    const refused = await limited(httpRequest("POST", "/gateway/b", host));
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "2"]);
    expect(JSON.parse(textOf(refused))).toEqual({
      code: "StarknetErrorCode.RATE_LIMITED",
      message: "too many requests from this address: try again in 2 s",
    });
    nowMs = 2_000;
    expect(await statusOf("/feeder_gateway/a")).toBe(200);
  });

  test("limits each address separately", async () => {
    const rateLimiter = new RateLimiter({ perSecond: 0.5, burst: 1 }, () => 0, 10);
    const limited = createGatewayHandler({ ...DEPS, rateLimiter });
    const statusFrom = async (address: string) => {
      const request = httpRequest("GET", "/health", { host: "localhost" });
      Object.assign(request, { caller: new Caller(address) });
      return (await limited(request)).status;
    };
    const statuses = [];
    for (const address of ["192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.2"]) {
      statuses.push(await statusFrom(address));
    }
    expect(statuses).toEqual([200, 429, 200, 429]);
  });

  test.each([
    ["BLOCK_NOT_FOUND", "StarknetErrorCode.BLOCK_NOT_FOUND"],
    ["MALFORMED_REQUEST", "StarkErrorCode.MALFORMED_REQUEST"],
    ["INVALID_SIGNATURE", "StarkErrorCode.INVALID_SIGNATURE"],
  ] as const)("error %p consists of a code and a message", (name, code) => {
    const reply = gatewayErrorReply(name, 'says "no"');
    expect(JSON.parse(textOf(reply))).toEqual({ code, message: 'says "no"' });
    expect(reply.status).toBe(400);
  });
});

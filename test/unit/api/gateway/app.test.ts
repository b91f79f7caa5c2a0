import { describe, expect, test } from "bun:test";
import { createGatewayHandler, type GatewayRoute } from "#api/gateway/app.ts";
import { gatewayErrorReply } from "#api/gateway/errors.ts";
import { jsonReply } from "#api/rpc/index.ts";
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
    path: "/feeder_gateway/long",
    answer: () => jsonReply(`"${"a".repeat(10_000)}"`, 200),
  },
];
const handler = createGatewayHandler(ROUTES, "local");
const ask = async (method: string, url: string, headers: Record<string, string> = {}) => {
  const reply = await handler(httpRequest(method, url, { host: "localhost:8080", ...headers }));
  return { status: reply.status, text: textOf(reply), headers: reply.headers };
};

describe("the application of a gateway", () => {
  test.each([
    ["GET", "/health", 200, "OK"],
    ["GET", "/feeder_gateway/a", 200, '"a"'],
    ["GET", "/feeder_gateway/a?blockNumber=%ff&x", 200, '"a"'],
    ["GET", "http://localhost:8080/feeder_gateway/a?x=1", 200, '"a"'],
    ["HEAD", "/feeder_gateway/a", 200, '"a"'],
    ["POST", "/gateway/b", 200, '"b"'],
    ["GET", "/", 404, "Not Found"],
    ["GET", "/feeder_gateway/a/", 404, "Not Found"],
    ["GET", "/feeder_gateway/%61", 404, "Not Found"],
    ["DELETE", "/feeder_gateway", 404, "Not Found"],
    ["GET", "/feeder_gateway/fails", 500, "Internal Server Error"],
  ])("answers %s %s with %p", async (method, url, status, text) => {
    expect(await ask(method, url)).toMatchObject({ status, text });
  });

  test("another method on a path is told which one it has", async () => {
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

  test("a rebound name is refused where only this machine may ask", async () => {
    expect(await ask("GET", "/health", { host: "evil.example" })).toMatchObject({ status: 403 });
    const open = createGatewayHandler(ROUTES, "any");
    const reply = await open(httpRequest("GET", "/health", { host: "feeder.example" }));
    expect(reply.status).toBe(200);
  });

  test("long answers are compressed for whom takes that", async () => {
    const { headers } = await ask("GET", "/feeder_gateway/long", { "accept-encoding": "gzip" });
    expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
    expect((await ask("GET", "/feeder_gateway/long")).text).toHaveLength(10_002);
  });

  test.each([
    ["BLOCK_NOT_FOUND", "StarknetErrorCode.BLOCK_NOT_FOUND"],
    ["MALFORMED_REQUEST", "StarkErrorCode.MALFORMED_REQUEST"],
    ["INVALID_SIGNATURE", "StarkErrorCode.INVALID_SIGNATURE"],
  ] as const)("error %p has a code and a message and nothing else", (name, code) => {
    const reply = gatewayErrorReply(name, 'says "no"');
    expect(JSON.parse(textOf(reply))).toEqual({ code, message: 'says "no"' });
    expect(reply.status).toBe(400);
  });
});

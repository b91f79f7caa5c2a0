import { describe, expect, test } from "bun:test";
import { acceptOf, asksForWebSocket, handshakeReply } from "#api/rpc/ws/transport/handshake.ts";
import { httpRequest } from "#test/helpers/http-handler.ts";

const RIGHT = {
  Host: "server.example.com",
  Upgrade: "websocket",
  Connection: "Upgrade",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Version": "13",
};
const ask = (headers: Readonly<Record<string, string>> = {}) =>
  httpRequest("GET", "/", { ...RIGHT, ...headers });

test("acceptOf matches the example of RFC 6455, section 1.3", () => {
  expect(acceptOf("dGhlIHNhbXBsZSBub25jZQ==")).toBe("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
});

test("a valid handshake gets 101 with the accept key", () => {
  expect(handshakeReply(ask())).toMatchObject({
    status: 101,
    headers: { upgrade: "websocket", "sec-websocket-accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" },
  });
});

test("protocol names are matched case-insensitively within lists", () => {
  expect(handshakeReply(ask({ Connection: "keep-alive, upgrade" })).status).toBe(101);
  expect(asksForWebSocket(ask({ Upgrade: "h2c, WebSocket" }))).toBe(true);
});

test("a request for another protocol, or for none, does not ask for a WebSocket", () => {
  expect([
    asksForWebSocket(ask({ Upgrade: "h2c" })),
    asksForWebSocket(httpRequest("GET", "/")),
  ]).toEqual([false, false]);
});

describe("rejected handshake", () => {
  test.each([
    ["without Connection: upgrade", { Connection: "keep-alive" }, 400, "connection"],
    ["with a key of another length", { "Sec-WebSocket-Key": "c2hvcnQ=" }, 400, "key"],
    [
      "with extra bits at the end of the key",
      { "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZR==" },
      400,
      "key",
    ],
    ["with an old version", { "Sec-WebSocket-Version": "8" }, 426, "13"],
    ["with two keys", { "Sec-WebSocket-Key": `${RIGHT["Sec-WebSocket-Key"]}, x` }, 400, "key"],
  ])("%s", (_, headers, status, text) => {
    const reply = handshakeReply(ask(headers));
    expect(reply.status).toBe(status);
    expect(reply.body).toContain(text);
  });

  test("names the supported version", () => {
    const { headers } = handshakeReply(ask({ "Sec-WebSocket-Version": "12" }));
    expect(headers["sec-websocket-version"]).toBe("13");
  });
});

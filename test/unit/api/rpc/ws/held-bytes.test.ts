import { expect, test } from "bun:test";
import { createMethodTables, LiveFeed } from "#api/rpc/index.ts";
import { BodyBudget } from "#api/rpc/http/body-budget.ts";
import { createWebSocketService } from "#api/rpc/ws/service.ts";
import { fakeSocket } from "#test/helpers/fake-socket.ts";
import { heldBytesWorld } from "#test/helpers/held-bytes.ts";
import { httpRequest } from "#test/helpers/http-handler.ts";
import { rpcBody } from "#test/helpers/raw-http.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { dispatcherOf, SILENT_WS, WEB_SOCKETS } from "#test/helpers/serving.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { clientFrame } from "#test/helpers/ws-frames.ts";

const HANDSHAKE = {
  host: "localhost",
  upgrade: "websocket",
  connection: "Upgrade",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  "sec-websocket-version": "13",
};

test("unread WebSocket bytes count in the process-wide budget", async () => {
  const { held } = heldBytesWorld(1e9);
  const context = sampleContext();
  const [table] = createMethodTables();
  const service = createWebSocketService({
    ...WEB_SOCKETS,
    dispatcher: dispatcherOf(context),
    context,
    observer: SILENT_WS,
    rateLimiter: null,
    feed: new LiveFeed(),
    held,
    maxMessageBytes: 1_000_000,
  });
  const client = { address: "10.0.0.1" };
  const deps = { socket: fakeSocket(0), budget: new BodyBudget(1e6, held), client, messageMs: 1e6 };
  const connection = service.answer(httpRequest("GET", "/", HANDSHAKE), table)?.upgrade?.(deps);
  connection?.receive(clientFrame(rpcBody(1, "chainId")));
  await untilTrue(() => held.bytesOf(client.address) > 0, 5_000);
  expect(held.bytesOf(client.address)).toBeGreaterThan(0);
  connection?.closed();
  expect(held.bytes).toBe(0);
});

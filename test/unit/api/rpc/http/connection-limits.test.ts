import { afterAll, describe, expect, test } from "bun:test";
import { RawConnection, rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import { serveSample } from "#test/helpers/sample-server.ts";

const BODY = rawPost(rpcBody(1, "blockNumber"));

const server = await serveSample({
  connections: { max: 3, maxPerAddress: Infinity },
  timeouts: { headersMs: 500, requestMs: 800, idleMs: 60_000 },
});
const perAddress = await serveSample({ connections: { max: 100, maxPerAddress: 2 } });
afterAll(() => Promise.all([server.stop(0), perAddress.stop(0)]));

const open = (count: number, port: number) =>
  Promise.all(Array.from({ length: count }, () => RawConnection.open(port)));

/** Whether a new connection is served once earlier ones are gone. */
async function isAnswered(port: number): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    const connection = await RawConnection.open(port);
    const [answer] = await connection.send(BODY).responses(1);
    connection.close();
    if (answer?.status === 200) return true;
    await Bun.sleep(20);
  }
  return false;
}

describe("connections up to the limit", () => {
  test("are served; one more gets 503 and is closed", async () => {
    const connections = await open(3, server.port);
    for (const connection of connections) {
      expect((await connection.send(BODY).responses(1))[0]?.status).toBe(200);
    }
    const [more] = await open(1, server.port);
    const [answer] = (await more?.send(BODY).responses(1)) ?? [];
    expect(answer?.status).toBe(503);
    expect(answer?.headers).toMatchObject({ "retry-after": "1", connection: "close" });
    expect(JSON.parse(answer?.body ?? "")).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: {
        code: -32005,
        message: "Limit exceeded",
        data: "the node has reached its connection limit: 3",
      },
    });
    expect(await more?.ends()).toBe(true);
    // The existing connections continue.
    for (const connection of connections) {
      expect((await connection.send(BODY).responses(1))[0]?.status).toBe(200);
      connection.close();
    }
    expect(await isAnswered(server.port)).toBe(true);
  });

  test("free their slots however they end", async () => {
    const quiet = await open(2, server.port);
    const slow = await open(1, server.port);
    for (const connection of slow) connection.send("POST / HTT");
    // The slow connection is closed; the idle ones may stay.
    expect(await isAnswered(server.port)).toBe(true);
    for (const connection of [...quiet, ...slow]) connection.close();
    expect(await isAnswered(server.port)).toBe(true);
  });

  test("per address are served; one more is closed", async () => {
    const connections = await open(2, perAddress.port);
    for (const connection of connections) {
      expect((await connection.send(BODY).responses(1))[0]?.status).toBe(200);
    }
    const [more] = await open(1, perAddress.port);
    const [answer] = (await more?.responses(1)) ?? [];
    expect([answer?.status, answer?.body]).toEqual([503, expect.stringContaining("address")]);
    for (const connection of connections) connection.close();
    expect(await isAnswered(perAddress.port)).toBe(true);
  });
});

describe("flood of connections", () => {
  test("is closed, and existing connections keep working", async () => {
    const kept = await open(3, server.port);
    for (const connection of kept) {
      expect((await connection.send(BODY).responses(1))[0]?.status).toBe(200);
    }
    const flood = await open(400, server.port);
    // The flood stays open: it sends nothing and reads nothing.
    const [first] = kept;
    expect((await first?.send(BODY).responses(1))?.[0]?.status).toBe(200);
    const ended = await Promise.all(flood.map((connection) => connection.ends(5_000)));
    expect(ended.every(Boolean)).toBe(true);
    for (const connection of [...kept, ...flood]) connection.close();
    expect(await isAnswered(server.port)).toBe(true);
  });

  test("does not delay a stop", async () => {
    const stopping = await serveSample({ connections: { max: 1, maxPerAddress: Infinity } });
    const connections = await open(50, stopping.port);
    await stopping.stop();
    expect((await Promise.all(connections.map((one) => one.ends()))).every(Boolean)).toBe(true);
  });
});

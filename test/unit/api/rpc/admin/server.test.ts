import { afterAll, describe, expect, test } from "bun:test";
import type { AdminAccess } from "#api/rpc/index.ts";
import { openAdminListener, serveAdmin } from "#api/rpc/admin/server.ts";
import { adminToken } from "#api/rpc/admin/token.ts";
import type { LogLevel } from "#base/telemetry/index.ts";
import { RawConnection } from "#test/helpers/raw-http.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";

const TOKEN = "0123456789abcdef";
const HASH = 0x5n;

function adminOf(): { readonly admin: AdminAccess; readonly done: unknown[] } {
  const done: unknown[] = [];
  let level: LogLevel = "info";
  const admin: AdminAccess = {
    mempool(offset, limit) {
      done.push(["mempool", offset, limit]);
      const listed = { sender: 2n, nonce: 3n, tip: 4n, kind: "INVOKE", receivedAtMs: 9 } as const;
      return Promise.resolve({
        waiting: 1,
        inFlight: 2,
        transactions: [{ ...listed, hash: HASH }],
      });
    },
    dropTransaction(hash) {
      done.push(["drop", hash]);
      return Promise.resolve(hash === HASH ? "dropped" : "unknown");
    },
    setLogLevel(next) {
      const previous = level;
      level = next;
      return previous;
    },
  };
  return { admin, done };
}

const listener = await openAdminListener(0);
const { admin, done } = adminOf();
const refused: string[] = [];
const finished: unknown[] = [];
serveAdmin({
  listener,
  token: adminToken(TOKEN, "test"),
  context: { ...sampleContext(), admin },
  observer: {
    started: () => undefined,
    finished: (method, ok) => finished.push([method, ok]),
    internalError: () => undefined,
  },
  onRefused: (address) => refused.push(address),
});
afterAll(() => listener.stop(0));

interface Asked {
  readonly status: number;
  readonly body: { readonly result?: unknown; readonly error?: { code: number; data: unknown } };
}

async function ask(method: string, params: unknown, headers = bearer(TOKEN)): Promise<Asked> {
  const response = await fetch(`http://127.0.0.1:${listener.port}/`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return { status: response.status, body: (await response.json()) as Asked["body"] };
}

function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

describe("admin methods", () => {
  test("list what waits", async () => {
    const { body } = await ask("appchain_getMempool", { offset: 7, limit: 1000 });
    expect(body.result).toEqual({
      waiting: 1,
      in_flight: 2,
      transactions: [
        {
          transaction_hash: "0x5",
          type: "INVOKE",
          sender_address: "0x2",
          nonce: "0x3",
          tip: "0x4",
          received_at_ms: 9,
        },
      ],
    });
    await ask("appchain_getMempool", []);
    expect(done).toEqual([
      ["mempool", 7, 1000],
      ["mempool", 0, 100],
    ]);
  });

  test("drop a transaction, or say why not", async () => {
    const outcomeOf = async (hash: string) =>
      (await ask("appchain_dropTransaction", [hash])).body.result;
    expect(await outcomeOf("0x5")).toEqual({ outcome: "DROPPED" });
    expect(await outcomeOf("0x6")).toEqual({ outcome: "UNKNOWN" });
  });

  test("set the level of the log, and give the one before", async () => {
    const set = async (level: string) => (await ask("appchain_setLogLevel", { level })).body;
    expect((await set("debug")).result).toEqual({ previous: "info" });
    expect((await set("warn")).result).toEqual({ previous: "debug" });
    expect((await set("loud")).error?.code).toBe(-32602);
  });

  test("close no block where the chain has rules of its own", async () => {
    const { body } = await ask("appchain_closeBlock", []);
    expect(body.error).toMatchObject({ code: -32603, data: expect.stringContaining("own rules") });
  });

  test.each([
    ["appchain_getMempool", { limit: 1001 }],
    ["appchain_getMempool", { limit: 0 }],
    ["appchain_getMempool", { offset: -1 }],
    ["appchain_dropTransaction", []],
    ["appchain_dropTransaction", ["5"]],
    ["appchain_closeBlock", [1]],
  ])("refuse %s %p", async (method, params) => {
    expect((await ask(method, params)).body.error?.code).toBe(-32602);
  });

  test.each(["starknet_blockNumber", "appchain_getmempool", "starknet_appchain_getMempool"])(
    "are not %s",
    async (method) => {
      expect((await ask(method, [])).body.error?.code).toBe(-32601);
    },
  );

  test("are told of to whoever watches", () => {
    expect(finished).toContainEqual(["appchain_dropTransaction", true]);
  });
});

describe("without the token", () => {
  test("nothing is done, whatever is asked", async () => {
    const before = done.length;
    for (const headers of [{}, bearer("wrong"), { authorization: TOKEN }]) {
      const { status, body } = await ask("appchain_dropTransaction", ["0x5"], headers);
      expect([status, JSON.stringify(body).includes(TOKEN)]).toEqual([401, false]);
    }
    const get = await fetch(`http://127.0.0.1:${listener.port}/health`);
    expect([get.status, get.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(done).toHaveLength(before);
    expect(refused.length).toBeGreaterThan(0);
  });

  test("a flood is told of up to a limit, and keeps nobody out who has it", async () => {
    refused.length = 0;
    const statuses = new Set<number>();
    for (let i = 0; i < 200; i++) statuses.add((await ask("x", [], bearer(`${i}`))).status);
    expect(statuses).toEqual(new Set([401, 429]));
    expect(refused.length).toBeLessThan(60);
    expect((await ask("appchain_getMempool", [])).status).toBe(200);
  });

  test("connections that say nothing do not keep anybody out for good", async () => {
    const idle = await Promise.all(
      Array.from({ length: 40 }, () => RawConnection.open(listener.port)),
    );
    expect((await ask("appchain_getMempool", [])).status).toBe(200);
    for (const connection of idle) connection.close();
  });
});

describe("with the token", () => {
  test("pages and other hosts are refused", async () => {
    const page = { ...bearer(TOKEN), origin: "http://localhost:3000" };
    const response = await fetch(`http://127.0.0.1:${listener.port}/`, {
      method: "POST",
      headers: page,
      body: "{}",
    });
    expect(response.status).toBe(403);
    const connection = await RawConnection.open(listener.port);
    const head = `POST / HTTP/1.1\r\nhost: evil.example\r\nauthorization: Bearer ${TOKEN}\r\n`;
    const [answer] = await connection.send(`${head}content-length: 2\r\n\r\n{}`).responses(1);
    expect(answer?.status).toBe(403);
    connection.close();
  });

  test.each([
    ["GET", "/", 405],
    ["POST", "/rpc", 404],
    ["GET", "/openrpc.json", 404],
  ])("%s %s is %p", async (method, path, status) => {
    const url = `http://127.0.0.1:${listener.port}${path}`;
    expect((await fetch(url, { method, headers: bearer(TOKEN) })).status).toBe(status);
  });

  test("a long body is refused", async () => {
    const response = await fetch(`http://127.0.0.1:${listener.port}/`, {
      method: "POST",
      headers: { ...bearer(TOKEN), "content-type": "application/json" },
      body: " ".repeat(65_537),
    });
    expect(response.status).toBe(413);
  });
});

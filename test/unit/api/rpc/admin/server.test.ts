import { afterAll, describe, expect, test } from "bun:test";
import { ADMIN_TOKEN as TOKEN, adminServer, bearer } from "#test/helpers/admin-server.ts";
import { RawConnection } from "#test/helpers/raw-http.ts";

const { listener, ask, done, refused } = await adminServer();
afterAll(() => listener.stop(0, () => undefined));

describe("admin server without the token", () => {
  test("rejects every request with 401 and does nothing", async () => {
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

  test("limits failed attempts and their reports, and still serves requests with the token", async () => {
    refused.length = 0;
    const statuses = new Set<number>();
    for (let i = 0; i < 200; i++) statuses.add((await ask("x", [], bearer(`${i}`))).status);
    expect(statuses).toEqual(new Set([401, 429]));
    expect(refused.length).toBeLessThan(60);
    expect((await ask("appchain_getMempool", [])).status).toBe(200);
  });

  test("serves new clients while idle connections are open", async () => {
    const idle = await Promise.all(
      Array.from({ length: 40 }, () => RawConnection.open(listener.port)),
    );
    expect((await ask("appchain_getMempool", [])).status).toBe(200);
    for (const connection of idle) connection.close();
  });
});

describe("admin server with the token", () => {
  test("rejects browser pages and foreign Host headers", async () => {
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
  ])("%s %s responds %p", async (method, path, status) => {
    const url = `http://127.0.0.1:${listener.port}${path}`;
    expect((await fetch(url, { method, headers: bearer(TOKEN) })).status).toBe(status);
  });

  test("rejects an overlong body", async () => {
    const response = await fetch(`http://127.0.0.1:${listener.port}/`, {
      method: "POST",
      headers: { ...bearer(TOKEN), "content-type": "application/json" },
      body: " ".repeat(65_537),
    });
    expect(response.status).toBe(413);
  });
});

import { describe, expect, test } from "bun:test";
import { type PostOptions, postTo, sampleServers } from "#test/helpers/sample-server.ts";

const start = sampleServers();
const url = await start();

function post(
  path: string,
  options: PostOptions = {},
  base: string | Promise<string> = url,
): Promise<Response> {
  return postTo(base, path, options);
}

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
    "http://[::1]:3000",
    "https://[::1]",
  ]) {
    test(`allows reads from ${page} by default`, async () => {
      expect(allowed(await origin(page))).toBe(page);
    });
  }

  for (const page of [
    "https://example.org",
    "http://localhost.example.org",
    "http://localhost:3000.example.org",
    "http://127.0.0.2",
    "http://[::2]:3000",
    "null",
  ]) {
    test(`denies reads from ${page} by default`, async () => {
      expect(allowed(await origin(page))).toBeNull();
    });
  }

  test("default responses vary by origin", async () => {
    expect((await origin("https://example.org")).headers.get("vary")).toBe("origin");
  });

  test("does not run a form post of a foreign page", async () => {
    const response = await origin("https://example.org", url, { "content-type": "text/plain" });
    expect(response.status).toBe(403);
  });

  test("`all` allows every origin", async () => {
    expect(allowed(await origin("https://example.org", start({ cors: "all" })))).toBe("*");
  });

  test("a list allows only its origins", async () => {
    const listed = start({ cors: ["https://app.example.org"] });
    expect([
      allowed(await origin("https://app.example.org", listed)),
      allowed(await origin("http://localhost", listed)),
    ]).toEqual(["https://app.example.org", null]);
  });

  test("a preflight response lists methods and headers", async () => {
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

describe("Host header", () => {
  const status = async (host: string, base: string | Promise<string> = url): Promise<number> =>
    (await post("/", { headers: { host } }, base)).status;

  for (const host of ["localhost:9944", "127.0.0.1", "[::1]:9944", "10.0.0.7:9944"]) {
    test(`${host} is served`, async () => {
      expect(await status(host)).toBe(200);
    });
  }

  test("a domain name is rejected, since it may be a rebound one", async () => {
    expect(await status("evil.example.org:9944")).toBe(403);
  });

  test("a domain name can be allowed", async () => {
    expect(await status("node.example.org", start({ hosts: ["node.example.org"] }))).toBe(200);
  });

  test("is ignored when every origin is allowed", async () => {
    expect(await status("node.example.org", start({ cors: "all" }))).toBe(200);
  });
});

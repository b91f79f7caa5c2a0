import { describe, expect, test } from "bun:test";
import { createMethodTables } from "#api/rpc/index.ts";
import { httpHandler, httpRequest, textOf } from "#test/helpers/http-handler.ts";
import { postTo, sampleServers } from "#test/helpers/sample-server.ts";

const handler = httpHandler();
const [newest] = createMethodTables();

async function versionAt(path: string): Promise<unknown> {
  const reply = await handler(httpRequest("GET", path, { host: "localhost" }));
  expect([path, reply.status]).toEqual([path, 200]);
  expect(reply.headers["content-type"]).toBe("application/json");
  return (JSON.parse(textOf(reply)) as { info: { version: string } }).info.version;
}

describe("OpenRPC document route", () => {
  test.each(["/openrpc.json", "/rpc/openrpc.json", "/openrpc.json?x=1"])(
    "serves the newest version at %s",
    async (path) => {
      expect(await versionAt(path)).toBe(newest.spec.version);
    },
  );

  for (const { spec } of createMethodTables()) {
    const [major, minor, patch] = spec.version.split(".");
    for (const path of [
      `/rpc/v${major}_${minor}/openrpc.json`,
      `/rpc/v${major}_${minor}_${patch}/openrpc.json`,
      `/rpc/v${spec.version}/openrpc.json`,
      `/v${major}.${minor}/openrpc.json`,
    ]) {
      test(`serves ${spec.version} at ${path}`, async () => {
        expect(await versionAt(path)).toBe(spec.version);
      });
    }
  }

  test.each([
    ["GET", "/rpc/v0_6/openrpc.json", 404],
    ["GET", "/openrpc.json/", 404],
    ["GET", "/rpc/v0_8/openrpc.jsonx", 404],
    ["POST", "/openrpc.json", 404],
    ["PUT", "/openrpc.json", 405],
  ])("responds to %s %s with %p", async (method, path, status) => {
    const reply = await handler(httpRequest(method, path, { host: "localhost" }));
    expect(reply.status).toBe(status);
  });

  test("compresses the document, allows CORS and leaves JSON-RPC paths unaffected", async () => {
    const base = await sampleServers()();
    const response = await fetch(`${base}/openrpc.json`, {
      headers: { "accept-encoding": "gzip", origin: "http://localhost:3000" },
    });
    expect(response.headers.get("access-control-allow-origin")).toBe("http://localhost:3000");
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(await response.json()).toHaveProperty("methods");
    expect((await postTo(base, "/rpc/v0_8")).status).toBe(200);
  });
});

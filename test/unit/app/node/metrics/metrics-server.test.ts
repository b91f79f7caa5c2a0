import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { openMetricsListener, serveMetrics } from "#app/node/metrics/metrics-server.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import type { Listener } from "#api/rpc/index.ts";

let listener: Listener;
let url: string;
let scrape: () => void = () => undefined;
const metrics = createNodeMetrics();

beforeAll(() => {
  listener = openMetricsListener({ host: "127.0.0.1", port: 0 });
  url = serveMetrics(listener, metrics, () => scrape());
});

afterAll(() => listener.stop(0, () => undefined));

describe("the metrics endpoint", () => {
  test("includes its path in the URL", () => {
    expect(url).toBe(`http://127.0.0.1:${listener.port}/metrics`);
  });

  test("serves the text format, refreshed for each scrape", async () => {
    scrape = () => metrics.databaseSizeBytes.set(4_321);
    const response = await fetch(`${url}?a=b`);
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
    ]);
    expect(await response.text()).toContain("\nappchain_db_size 4321\n");
  });

  test("compresses on request", async () => {
    const get = (headers: Record<string, string>) => fetch(url, { headers, decompress: false });
    const packed = await get({ "accept-encoding": "gzip" });
    const plain = await get({ "accept-encoding": "identity" });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(packed.headers.get("vary")).toBe("Accept-Encoding");
    const text = gunzipSync(await packed.arrayBuffer()).toString();
    const names = (of: string) => of.match(/^# HELP .*$/gm);
    expect(names(text)).toEqual(names(await plain.text()));
  });

  test("has no body for HEAD", async () => {
    const response = await fetch(url, { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  test.each([
    ["GET", "/"],
    ["GET", "/metrics/"],
    ["GET", "/other"],
    ["POST", "/metrics"],
  ])("responds to %s %s with 404", async (method, path) => {
    const response = await fetch(new URL(path, url), { method });
    expect([response.status, await response.text()]).toEqual([404, "Not Found"]);
  });

  test("responds to a failure with 500 and reveals nothing", async () => {
    scrape = () => {
      throw new RangeError("secret");
    };
    const response = await fetch(url);
    expect([response.status, await response.text()]).toEqual([500, "Internal Server Error"]);
  });
});

import { Hono } from "hono";
import { compress } from "hono/compress";
import { type Listener, openListener } from "#api/rpc/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";
import { httpUrl } from "../setup/http-url.ts";
import { type ListenAddress } from "../setup/node-options.ts";

/**
 * Binds the address of the metrics endpoint.
 *
 * @throws {NodeError | ConfigError} as {@link openListener}
 */
export function openMetricsListener({ host, port }: ListenAddress): Listener {
  return openListener({
    hostname: host,
    port,
    service: "metrics",
    portOption: "--metrics-port",
    hostOption: "--metrics-external",
  });
}

/**
 * Serves `GET /metrics` in the Prometheus text format, compressed if the client accepts it; other paths are
 * 404.
 *
 * @param beforeScrape - updates gauges that are costly to maintain
 * @returns the URL of the endpoint
 */
export function serveMetrics(
  listener: Listener,
  { registry }: Pick<NodeMetrics, "registry">,
  beforeScrape: () => void,
): string {
  const app = new Hono();
  app.get("/metrics", compress(), async (context) => {
    beforeScrape();
    const text = await registry.metrics();
    return context.body(text, 200, { "content-type": registry.contentType });
  });
  app.notFound((context) => context.text("Not Found", 404));
  // Hono's default handler prints the error, which would not have the log's format.
  app.onError((_, context) => context.text("Internal Server Error", 500));
  listener.serve({
    fetch: (request) => app.fetch(request),
    error: () => new Response("Internal Server Error", { status: 500 }),
  });
  return `${httpUrl(listener.hostname, listener.port)}/metrics`;
}

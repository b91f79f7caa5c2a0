import { type ListenAddress } from "./node-options.ts";
import { type Listener, openListener } from "#api/rpc/index.ts";
import type { NodeMetrics } from "#base/telemetry/index.ts";
import { httpUrl } from "./http-url.ts";

/**
 * Takes the address of the metrics endpoint.
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
 * Serves `GET /metrics` in the Prometheus text format; other paths are 404.
 *
 * @param beforeScrape - brings gauges up to date that are costly to keep
 * @returns the address of the endpoint
 */
export function serveMetrics(
  listener: Listener,
  metrics: NodeMetrics,
  beforeScrape: () => void,
): string {
  listener.serve({
    async fetch(request) {
      if (new URL(request.url).pathname !== "/metrics") {
        return new Response("Not Found", { status: 404 });
      }
      beforeScrape();
      return new Response(await metrics.registry.metrics(), {
        headers: { "content-type": metrics.registry.contentType },
      });
    },
    error: () => new Response("Internal Server Error", { status: 500 }),
  });
  return `${httpUrl(listener.hostname, listener.port)}/metrics`;
}

import type { ListenAddress } from "#config/index.ts";
import { NodeError } from "#errors/index.ts";
import type { NodeMetrics } from "#telemetry/metrics.ts";

/** A running metrics endpoint. */
export interface MetricsServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves `GET /metrics` in the Prometheus text format; other paths are 404.
 *
 * @param beforeScrape - brings gauges up to date that are costly to keep
 * @throws {NodeError} NODE_PORT_IN_USE when the port is taken
 */
export function startMetricsServer(
  { host, port }: ListenAddress,
  metrics: NodeMetrics,
  beforeScrape: () => void,
): MetricsServer {
  try {
    const server = Bun.serve({
      hostname: host,
      port,
      // Sharing a port with another node would hide one of them.
      reusePort: false,
      async fetch(request) {
        if (new URL(request.url).pathname !== "/metrics") {
          return new Response("Not Found", { status: 404 });
        }
        beforeScrape();
        return new Response(await metrics.registry.metrics(), {
          headers: { "content-type": metrics.registry.contentType },
        });
      },
    });
    return {
      url: `http://${host}:${server.port ?? port}/metrics`,
      stop: () => server.stop(true),
    };
  } catch (cause) {
    throw new NodeError(
      "NODE_PORT_IN_USE",
      `the metrics port ${port} can not be listened on: choose another one with --metrics-port`,
      { cause },
    );
  }
}

import { Counter, Gauge, type Registry } from "./prom-client.ts";

/** Metrics of a forked chain's origin; 0 on other chains. */
export interface ForkMetrics {
  readonly originUp: Gauge;
  readonly values: Counter<"source">;
  readonly requests: Counter;
  readonly calls: Counter;
  readonly waits: Counter;
  readonly waitSeconds: Counter;
  readonly rateLimited: Counter;
  readonly receivedBytes: Counter;
}

/** Declares the metrics of a forked chain's origin. */
export function createForkMetrics(registers: Registry[]): ForkMetrics {
  const counter = (name: string, help: string): Counter => new Counter({ name, help, registers });
  return {
    originUp: new Gauge({
      name: "appchain_fork_origin_up",
      help: "1 while the network that the chain was forked from responds",
      registers,
    }),
    values: new Counter({
      name: "appchain_fork_values",
      help: "Values of the fork's origin since start: from the cache, or requested from the origin",
      labelNames: ["source"],
      registers,
    }),
    requests: counter("appchain_fork_requests", "HTTP requests to the fork's origin since start"),
    calls: counter("appchain_fork_calls", "JSON-RPC calls to the fork's origin since start"),
    waits: counter("appchain_fork_waits", "Values of the fork's origin waited for since start"),
    waitSeconds: counter(
      "appchain_fork_wait_seconds",
      "Seconds waited for values of the fork's origin since start, over all threads",
    ),
    rateLimited: counter(
      "appchain_fork_rate_limited",
      "Responses of the fork's origin since start that limited the rate of requests",
    ),
    receivedBytes: counter(
      "appchain_fork_received_bytes",
      "Bytes received from the fork's origin since start, after decompression",
    ),
  };
}

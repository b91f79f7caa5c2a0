import type { RpcObserver, WsRpcObserver } from "#api/rpc/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";
import { describeError, type Logger } from "#base/telemetry/index.ts";
import { wsObserver } from "./ws-observer.ts";

/** Counts and times JSON-RPC calls over HTTP, and logs internal errors. */
export function rpcObserver(metrics: NodeMetrics, log: Logger): RpcObserver {
  return observerOf(metrics, log, "http");
}

/** As {@link rpcObserver} for calls over WebSocket; also counts connections. */
export function wsRpcObserver(metrics: NodeMetrics, log: Logger): WsRpcObserver {
  return { ...observerOf(metrics, log, "ws"), webSockets: wsObserver(metrics) };
}

function observerOf(metrics: NodeMetrics, log: Logger, protocol: "http" | "ws"): RpcObserver {
  const counters = new Map<string, ReturnType<typeof childrenOf>>();
  const of = (method: string): ReturnType<typeof childrenOf> => {
    let children = counters.get(method);
    if (children === undefined)
      counters.set(method, (children = childrenOf(metrics, method, protocol)));
    return children;
  };
  return {
    started: (method) => of(method).started.add(),
    finished(method, ok, seconds, errorCode) {
      const children = of(method);
      (ok ? children.succeeded : children.failed).add();
      children.seconds.observe(seconds);
      log.debug("rpc", { method, ok, error: errorCode, ms: Math.round(seconds * 1e4) / 10 });
    },
    internalError(method, logId, error) {
      log.error("rpc: internal error", { method, log_id: logId, reason: describeError(error) });
    },
  };
}

function childrenOf(metrics: NodeMetrics, method: string, protocol: string) {
  const labels = { protocol, method };
  return {
    started: metrics.rpcCallsStarted.tally(labels),
    succeeded: metrics.rpcCallsFinished.tally({ ...labels, is_error: "false" }),
    failed: metrics.rpcCallsFinished.tally({ ...labels, is_error: "true" }),
    seconds: metrics.rpcCallsSeconds.series(labels),
  };
}

import type { GatewayObserver } from "#api/gateway/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";
import { describeError, type Logger } from "#base/telemetry/index.ts";

/** Counts and times requests of the gateway, and logs internal errors. */
export function gatewayObserver(
  { gatewayRequests, gatewayRequestSeconds }: NodeMetrics,
  log: Logger,
): GatewayObserver {
  return {
    answered(route, status, seconds) {
      gatewayRequests.labels(route, String(status)).inc();
      gatewayRequestSeconds.labels(route).observe(seconds);
      log.debug("gateway", { route, status, ms: Math.round(seconds * 1e4) / 10 });
    },
    internalError(route, error) {
      log.error("gateway: internal error", { route, reason: describeError(error) });
    },
  };
}

import type { SyncMetrics } from "#base/metrics/index.ts";
import type { FromSync } from "#services/sync/index.ts";

/** Counts the sync thread's reports. */
export function recordSync(message: FromSync, metrics: SyncMetrics): void {
  switch (message.kind) {
    case "accepted":
      metrics.importedBlocks.inc();
      return;
    case "progress": {
      const { current, highest } = message.progress;
      if (highest === undefined) return;
      metrics.highestBlock.set(highest.number);
      metrics.lagBlocks.set(Math.max(0, highest.number - (current?.number ?? -1)));
      return;
    }
    case "stage":
      metrics.stageSeconds.labels(message.stage).observe(message.seconds);
      return;
    case "refused":
      metrics.refused.reset();
      if (message.refusal !== null) metrics.refused.labels(message.refusal.check).set(1);
      return;
    case "preConfirmedDropped":
      metrics.preConfirmedDropped.labels(message.refusal.check).inc();
      return;
    case "gatewayRequestEnded":
      if (message.outcome === "overdue") return;
      metrics.gatewayRequests.labels(message.route, message.outcome).inc();
      metrics.gatewaySeconds.labels(message.route).observe(message.seconds);
      return;
    default:
      return;
  }
}

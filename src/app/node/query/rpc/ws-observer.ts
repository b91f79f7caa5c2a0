import type { SubscriptionCounts, WsObserver } from "#api/rpc/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";

/** Close codes with a defined meaning (RFC 6455, section 7.4.1); others are counted together. */
const CODES: ReadonlySet<number> = new Set([
  1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013,
]);

/** Counts WebSocket connections and notifications. */
export function wsObserver(metrics: NodeMetrics): WsObserver {
  // Cached, because looking up labels costs more than counting.
  const known = new Map<string, SubscriptionCounts>();
  return {
    opened() {
      metrics.wsSessions.inc();
      metrics.wsSessionsOpened.inc();
    },
    closed(code) {
      metrics.wsSessions.dec();
      metrics.wsSessionsClosed.labels(CODES.has(code) ? String(code) : "other").inc();
    },
    droppedSlow: () => metrics.wsSlowClientsDropped.inc(),
    subscriptions(method) {
      let counts = known.get(method);
      if (counts === undefined) known.set(method, (counts = countsOf(metrics, method)));
      return counts;
    },
  };
}

function countsOf(metrics: NodeMetrics, method: string): SubscriptionCounts {
  const active = metrics.wsActiveSubscriptions.labels(method);
  const opened = metrics.wsSubscriptionsOpened.labels(method);
  const sent = metrics.wsNotificationsSent.labels(method);
  const written = metrics.wsNotificationsWritten.labels(method);
  return {
    opened() {
      active.inc();
      opened.inc();
    },
    closed: () => active.dec(),
    sent: () => sent.inc(),
    written: () => written.inc(),
  };
}

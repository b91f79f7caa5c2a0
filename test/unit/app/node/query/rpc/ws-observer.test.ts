import { expect, test } from "bun:test";
import { wsObserver } from "#app/node/query/rpc/ws-observer.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";

/** Values of the WebSocket metrics, as scraped. */
async function values(metrics: ReturnType<typeof createNodeMetrics>): Promise<string[]> {
  const text = await metrics.registry.metrics();
  return text.split("\n").filter((line) => line.startsWith("appchain_ws_"));
}

test("counts open connections, and closed ones by code", async () => {
  const metrics = createNodeMetrics();
  const observer = wsObserver(metrics);
  for (let i = 0; i < 4; i++) observer.opened();
  for (const code of [1008, 4242, 4711]) observer.closed(code);
  observer.droppedSlow();
  expect(await values(metrics)).toEqual([
    "appchain_ws_sessions 1",
    "appchain_ws_sessions_opened 4",
    'appchain_ws_sessions_closed{code="1008"} 1',
    'appchain_ws_sessions_closed{code="other"} 2',
    "appchain_ws_slow_clients_dropped 1",
  ]);
});

test("counts subscriptions and their notifications by method", async () => {
  const metrics = createNodeMetrics();
  const observer = wsObserver(metrics);
  const heads = observer.subscriptions("subscribeNewHeads");
  heads.opened();
  heads.opened();
  heads.closed();
  heads.sent();
  heads.sent();
  heads.written();
  const lines = await values(metrics);
  expect(lines.filter((line) => line.includes("method="))).toEqual([
    'appchain_ws_active_subscriptions_by_method{method="subscribeNewHeads"} 1',
    'appchain_ws_subscriptions_opened{method="subscribeNewHeads"} 2',
    'appchain_ws_subscription_notifications_sent{method="subscribeNewHeads"} 2',
    'appchain_ws_subscription_notifications_written{method="subscribeNewHeads"} 1',
  ]);
  expect(observer.subscriptions("subscribeNewHeads")).toBe(heads);
});

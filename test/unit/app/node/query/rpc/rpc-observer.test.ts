import { expect, test } from "bun:test";
import { rpcObserver, wsRpcObserver } from "#app/node/query/rpc/rpc-observer.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { createLogger } from "#base/telemetry/index.ts";

function setUp(level: "debug" | "info") {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const log = createLogger({ level, format: "json", write });
  return { lines, observer: rpcObserver(createNodeMetrics(), log) };
}

test("logs each call with its time and error code at debug level", () => {
  const { lines, observer } = setUp("debug");
  observer.finished("getNonce", true, 0.0123, undefined);
  observer.finished("getNonce", false, 2, 24);
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ message: "rpc", method: "getNonce", ok: true, ms: 12.3 }),
    expect.objectContaining({ message: "rpc", method: "getNonce", ok: false, error: 24, ms: 2000 }),
  ]);
});

test("counts calls without logging by default", () => {
  const { lines, observer } = setUp("info");
  observer.finished("getNonce", true, 1, undefined);
  expect(lines).toEqual([]);
});

test("counts WebSocket and HTTP calls separately", async () => {
  const metrics = createNodeMetrics();
  const log = createLogger({ level: "info", format: "json", write: () => undefined });
  rpcObserver(metrics, log).started("getNonce");
  wsRpcObserver(metrics, log).started("chainId");
  wsRpcObserver(metrics, log).webSockets.opened();
  const { values } = await metrics.rpcCallsStarted.get();
  expect(values.map(({ labels }) => labels)).toEqual([
    { protocol: "http", method: "getNonce" },
    { protocol: "ws", method: "chainId" },
  ]);
  expect((await metrics.wsSessionsOpened.get()).values).toMatchObject([{ value: 1 }]);
});

import { expect, test } from "bun:test";
import { gatewayObserver } from "#app/node/gateway/gateway-observer.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { createLogger } from "#base/telemetry/index.ts";

test("counts requests by route and status, times them by route, and logs internal errors", async () => {
  const metrics = createNodeMetrics();
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const observer = gatewayObserver(metrics, createLogger({ level: "info", format: "json", write }));
  observer.answered("/feeder_gateway/get_block", 200, 0.002);
  observer.answered("/feeder_gateway/get_block", 200, 0.25);
  observer.answered("/feeder_gateway/get_block", 400, 0.001);
  observer.answered("other", 404, 0);
  observer.internalError("/gateway/add_transaction", new RangeError("no"));
  const text = await metrics.registry.metrics();
  const found = text
    .split("\n")
    .filter((line) => /^appchain_gateway.*(requests{|_count)/.test(line));
  expect(found).toEqual([
    'appchain_gateway_requests{route="/feeder_gateway/get_block",status="200"} 2',
    'appchain_gateway_requests{route="/feeder_gateway/get_block",status="400"} 1',
    'appchain_gateway_requests{route="other",status="404"} 1',
    'appchain_gateway_request_time_count{route="/feeder_gateway/get_block"} 3',
    'appchain_gateway_request_time_count{route="other"} 1',
  ]);
  expect(text).toContain('request_time_bucket{le="0.005",route="/feeder_gateway/get_block"} 2');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: "error", message: "gateway: internal error", route: "/gateway/add_transaction" },
  ]);
});

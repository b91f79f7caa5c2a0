import { Lifecycle } from "#app/node/setup/lifecycle.ts";
import type { NodeHost } from "#app/node/setup/node-host.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

/** Host of a node's parts: by default a fake clock and a discarded log. */
export function nodeHost(changed: Partial<NodeHost> = {}): NodeHost {
  const timer = changed.timer ?? new FakeTimer();
  const disposables = changed.disposables ?? new AsyncDisposableStack();
  const log =
    changed.log ?? createLogger({ level: "error", format: "text", write: () => undefined });
  return {
    log,
    threshold: { level: "info" },
    metrics: createNodeMetrics(),
    timer,
    lifecycle: new Lifecycle({ disposables, log, timer, exit: () => undefined }),
    threadEnd: "terminate",
    disposables,
    ...changed,
  };
}

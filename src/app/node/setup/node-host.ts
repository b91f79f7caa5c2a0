import type { Timer } from "#base/primitives/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";
import type { Logger, LogThreshold } from "#base/telemetry/index.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { ThreadEnd } from "./thread-end.ts";

/** Everything that each part of a node may use: created before the first part, disposed after the last. */
export interface NodeHost {
  readonly log: Logger;
  /** Level of {@link log}; an administrator may change it. */
  readonly threshold: LogThreshold;
  readonly metrics: NodeMetrics;
  readonly timer: Timer;
  readonly lifecycle: Lifecycle;
  /** As in {@link NodePorts}. */
  readonly threadEnd: ThreadEnd;
  /** Stops the parts in reverse order of their start. */
  readonly disposables: AsyncDisposableStack;
}

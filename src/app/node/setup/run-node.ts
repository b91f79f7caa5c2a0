import { AppError } from "#base/errors/index.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { Lifecycle } from "./lifecycle.ts";
import type { NodeHost } from "./node-host.ts";
import type { NodeOptions, StartedNode } from "./node-options.ts";
import type { ThreadEnd } from "./thread-end.ts";

/** Access to the operating system's process, which tests replace. */
export interface NodePorts {
  /** Ends the process; see {@link Lifecycle}. */
  readonly exit: (code: number) => void;
  /** What happens to threads once the node has stopped: `release` if the process ends with the node. */
  readonly threadEnd: ThreadEnd;
}

/**
 * Starts the parts of a node, and stops them in reverse order when the signal is aborted or when a part fails:
 * `closed` then settles with 0 or 1. An abort during the start cancels it, and `closed` settles with 0.
 *
 * @param assemble - starts the parts, in order
 * @throws {AppError} when a part cannot start; the parts before it are stopped again
 */
export async function runNode(
  options: NodeOptions,
  { exit, threadEnd }: NodePorts,
  assemble: (options: NodeOptions, host: NodeHost) => Promise<void>,
): Promise<StartedNode> {
  const threshold = { level: options.log.level };
  const log = createLogger({ ...options.log, level: threshold });
  const timer = SYSTEM_TIMER;
  const disposables = new AsyncDisposableStack();
  const lifecycle = new Lifecycle({ disposables, log, timer, exit });
  const metrics = createNodeMetrics();
  try {
    await lifecycle.start(() =>
      assemble(options, { log, threshold, metrics, timer, lifecycle, threadEnd, disposables }),
    );
    return { closed: lifecycle.closed };
  } catch (error) {
    await disposables.disposeAsync();
    if (!options.signal.aborted || !isCancelled(error)) throw error;
    log.info("stopped during the start");
    return { closed: Promise.resolve(0) };
  }
}

const CANCELLED: ReadonlySet<string> = new Set(["NODE_STOPPED", "OBJECT_STORE_STOPPED"]);

/** Whether a start ended because the node is stopping. */
function isCancelled(error: unknown): boolean {
  return error instanceof AppError && CANCELLED.has(error.code);
}

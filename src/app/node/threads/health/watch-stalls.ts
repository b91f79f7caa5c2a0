import type { NodeHost } from "../../setup/node-host.ts";
import type { NodeOptions } from "../../setup/node-options.ts";
import type { NodeThreads } from "../node-threads.ts";
import { StallWatch } from "./stall-watch.ts";

/** Other parts of the node that {@link watchStalls} uses. */
export interface StallNeeds {
  readonly threads: Pick<NodeThreads, "pulses">;
  /** Gives up leading when a thread makes no progress. */
  readonly leadership: { giveUp(reason: string): void };
}

/** Watches the progress of the threads until the node stops. */
export function watchStalls(
  { stallTimeoutMs }: Pick<NodeOptions, "stallTimeoutMs">,
  { threads, leadership }: StallNeeds,
  { log, timer, disposables }: NodeHost,
): StallWatch {
  const stalls = new StallWatch({
    pulses: () => threads.pulses,
    stallTimeoutMs,
    onStall: (reason) => leadership.giveUp(reason),
    log,
    timer,
  });
  stalls.start();
  disposables.defer(() => stalls.stop());
  return stalls;
}

import type { Timer } from "#base/primitives/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import type { BlockAge } from "../../metrics/block-age.ts";
import { countBlock } from "../../metrics/node-metrics.ts";
import { SyncTimes } from "./sync-times.ts";

/** Updates the metrics for each block imported from a source. It outlives changes of the role. */
export interface ImportReport {
  /** Records an accepted block. */
  imported(block: AcceptedMessage): void;
}

/**
 * Creates an {@link ImportReport}, whose sync times count from now.
 *
 * @param blockAge - clock of the newest block; each imported block restarts it
 */
export function openImportReport(
  blockAge: BlockAge,
  { metrics, timer }: { readonly metrics: NodeMetrics; readonly timer: Timer },
): ImportReport {
  const times = new SyncTimes(metrics.sync, timer);
  return {
    imported(block) {
      countBlock(block, metrics);
      times.imported();
      blockAge.accepted();
    },
  };
}

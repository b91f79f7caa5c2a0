import type { Timer } from "#base/primitives/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import type { BlockAge } from "../../metrics/block-age.ts";
import { countBlock } from "../../metrics/node-metrics.ts";
import { SyncTimes } from "./sync-times.ts";

/** Records blocks that were taken from a source. It outlives changes of the role. */
export interface ImportReport {
  /** Records an accepted block. */
  imported(block: AcceptedMessage): void;
}

/** Opens the report. */
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

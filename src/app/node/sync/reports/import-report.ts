import type { Timer } from "#base/primitives/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import type { SyncRefusal } from "#services/sync/index.ts";
import type { BlockAge } from "../../metrics/block-age.ts";
import { countBlock } from "../../metrics/node-metrics.ts";
import { SyncTimes } from "./sync-times.ts";

/** Gets what a source's blocks are refused for, and where they come from; `null` once one is accepted. */
export type RefusalListener = (refusal: SyncRefusal | null, source: string) => void;

/** Updates the metrics for each block imported from a source. It outlives changes of the role. */
export interface ImportReport {
  /** Records an accepted block. */
  imported(block: AcceptedMessage): void;
  /** Passes a refusal on. */
  readonly refused: RefusalListener;
}

/**
 * Creates an {@link ImportReport}, whose sync times count from now.
 *
 * @param blockAge - clock of the newest block; each imported block restarts it
 */
export function openImportReport(
  blockAge: BlockAge,
  refused: RefusalListener,
  { metrics, timer }: { readonly metrics: NodeMetrics; readonly timer: Timer },
): ImportReport {
  const times = new SyncTimes(metrics.sync, timer);
  return {
    refused,
    imported(block) {
      countBlock(block, metrics);
      times.imported();
      blockAge.accepted();
    },
  };
}

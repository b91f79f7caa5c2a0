import { DevnetFault } from "#api/rpc/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { ControlClient } from "../production/control-client.ts";

/** Pause before a refused block is requested again. */
const AGAIN_MS = 1_000;

/** Dependencies of {@link makeFirstBlock}. */
export interface FirstBlockDeps {
  /** Control of the executor; `undefined` while the node produces no blocks. */
  readonly control: () => Pick<ControlClient, "order"> | undefined;
  /** Whether no block of the epoch is published yet. */
  readonly isMissing: () => boolean;
  readonly log: Pick<Logger, "warn">;
  readonly timer: Timer;
}

/** Requests a block, even an empty one, until one is published or another sequencer leads. */
export async function makeFirstBlock(deps: FirstBlockDeps): Promise<void> {
  const { control, isMissing, log, timer } = deps;
  let lastReason: string | undefined;
  while (isMissing()) {
    try {
      await control()?.order({ kind: "createBlock", fresh: false }, "sealed");
      return;
    } catch (error) {
      if (!(error instanceof DevnetFault)) throw error;
      if (lastReason !== error.message) {
        log.warn("the first block of the epoch cannot be made yet", { reason: error.message });
      }
      lastReason = error.message;
    }
    await new Promise<void>((over) => void timer.after(AGAIN_MS, over));
  }
}

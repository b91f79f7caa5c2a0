import { DevnetFault } from "#api/rpc/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { ControlClient } from "../production/control-client.ts";

/** Pause before an executor that refused to make a block is asked again. */
const AGAIN_MS = 1_000;

/** What having a first block made works with. */
export interface FirstBlockDeps {
  /** The executor; `undefined`: the node makes no blocks now. */
  readonly control: () => Pick<ControlClient, "order"> | undefined;
  /** No block of the epoch is published yet. */
  readonly isMissing: () => boolean;
  readonly log: Pick<Logger, "warn">;
  readonly timer: Timer;
}

/** Has a block made, an empty one too, until one is published or somebody else leads. */
export async function makeFirstBlock(deps: FirstBlockDeps): Promise<void> {
  const { control, isMissing, log, timer } = deps;
  let told: string | undefined;
  while (isMissing()) {
    try {
      await control()?.order({ kind: "createBlock", fresh: false }, "sealed");
      return;
    } catch (error) {
      if (!(error instanceof DevnetFault)) throw error;
      if (told !== error.message) {
        log.warn("the first block of the epoch cannot be made yet", { reason: error.message });
      }
      told = error.message;
    }
    await new Promise<void>((over) => void timer.after(AGAIN_MS, over));
  }
}

import type { Timer } from "#base/primitives/index.ts";
import type { GateAnswer, PublishGate } from "#services/sequencer/index.ts";
import type { BundleStore } from "./bundle-store.ts";

/** A store that has not answered for so long is told of; most answer within tenths of a second. */
export const SLOW_MS = 1_000;

/** A gate that lets a block pass once its bundle is in the store, and stands there alone. */
export function storeGate(bundles: Pick<BundleStore, "publish">, timer: Timer): PublishGate {
  return async ({ blockNumber, bundle, onWaiting, signal }): Promise<GateAnswer> => {
    const cancel = timer.after(SLOW_MS, () => onWaiting("no answer yet"));
    try {
      const published = await bundles.publish(blockNumber, bundle(), { onWaiting, signal });
      if (published.kind === "taken") return { kind: "refused", epoch: published.epoch };
      return published.kind === "stopped" ? { kind: "unanswered" } : { kind: "published" };
    } finally {
      cancel();
    }
  };
}

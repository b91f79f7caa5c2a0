import type { Timer } from "#base/primitives/index.ts";
import type { GateAnswer, GateRequest, PublishGate } from "#services/sequencer/index.ts";
import type { BundleStore, Publication } from "./bundle-store.ts";
import { confirmPredecessor, type ConfirmDeps } from "./confirm-predecessor.ts";

/**
 * Time without an answer after which the publish gate reports that it waits for the store; most
 * answer within tenths of a second.
 */
export const SLOW_MS = 1_000;

/** Dependencies of a {@link storeGate}. */
export interface StoreGateDeps extends Pick<ConfirmDeps, "isOfChain"> {
  readonly bundles: Pick<BundleStore, "decide" | "name" | "publish" | "read">;
  readonly timer: Timer;
}

/**
 * Creates a gate that passes a block once the store has its bundle as the only one of that number, on top of
 * the predecessor that this sequencer has: see {@link confirmPredecessor}.
 */
export function storeGate({ bundles, isOfChain, timer }: StoreGateDeps): PublishGate {
  const publish = async (question: GateRequest): Promise<Publication> => {
    const { blockNumber, predecessor, bundle, onWaiting, signal } = question;
    const waiter = { onWaiting, signal };
    if (predecessor !== null) {
      const attempt = () => confirmPredecessor(predecessor, { bundles, isOfChain });
      const confirmed = await bundles.decide(attempt, waiter);
      if (confirmed.kind !== "published") return confirmed;
    }
    return bundles.publish(blockNumber, bundle(), waiter);
  };
  return async (question): Promise<GateAnswer> => {
    const cancel = timer.after(SLOW_MS, () => question.onWaiting("no answer yet"));
    try {
      const published = await publish(question);
      if (published.kind === "taken") return { kind: "refused", epoch: published.epoch };
      return published.kind === "stopped" ? { kind: "unanswered" } : { kind: "published" };
    } finally {
      cancel();
    }
  };
}

import type { ChainSource } from "./chain-source.ts";
import { LiveSink } from "./live-sink.ts";
import type { AnySubscription } from "./subscription.ts";
import { ChainWalk } from "./walk.ts";

/** A subscription's own way up to what comes: it is told what there is since the block it begins with. */
export class CatchUp {
  readonly subscription: AnySubscription;
  readonly #walk: ChainWalk;
  readonly #sink: LiveSink;
  #steps: Generator<void> | undefined;

  constructor(source: ChainSource, subscription: AnySubscription) {
    const { order } = subscription;
    this.subscription = subscription;
    this.#sink = new LiveSink(order.kind === "events" ? order.query : undefined);
    this.#sink.add(subscription);
    const hasBlocks = order.kind === "newHeads" || order.kind === "events";
    this.#walk = new ChainWalk(source, hasBlocks ? order.firstBlock : undefined);
    if (this.#sink.wantsPreConfirmed) this.#walk.follow();
  }

  /** The chain was reverted: what is above its newest block now comes. */
  reverted(): void {
    if (!this.#walk.reverted()) this.#steps = undefined;
  }

  /**
   * Goes on for a step.
   *
   * @returns whether everything that there is now is told
   */
  step(): boolean {
    this.#steps ??= this.#walk.advance(this.#sink);
    if (this.#steps.next().done !== true) return false;
    this.#steps = undefined;
    return true;
  }
}

import type { ChainSource } from "./chain-source.ts";
import { LiveSink } from "./live-sink.ts";
import type { AnySubscription } from "./subscription.ts";
import { ChainWalk } from "./walk.ts";

/** Walk of one subscription from its first block to the present, before it joins the live ones. */
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
    this.#walk = new ChainWalk(source, "firstBlock" in order ? order.firstBlock : undefined);
    if (this.#sink.wantsPreConfirmed) this.#walk.follow();
  }

  /** Handles a reverted chain: the walk continues above the newest remaining block. */
  reverted(): void {
    if (!this.#walk.reverted()) this.#steps = undefined;
  }

  /**
   * Runs one step. One that failed is repeated by the next: a block is read before any of it is reported.
   *
   * @returns whether everything up to now has been reported
   * @throws {OriginMissing} when the next block is one of a fork's origin that has to be fetched first
   */
  step(): boolean {
    const steps = (this.#steps ??= this.#walk.advance(this.#sink));
    this.#steps = undefined;
    if (steps.next().done === true) return true;
    this.#steps = steps;
    return false;
  }
}

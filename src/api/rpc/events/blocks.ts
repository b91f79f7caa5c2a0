import type { EventQuery, PendingBlock } from "#engine/state/index.ts";
import type { Receipt } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ChainContext } from "../context.ts";

/** Block as the event search reads it; `hash` is absent while the block is not accepted. */
export interface EventBlock {
  readonly number: number;
  readonly hash?: Felt;
  readonly receipts: readonly Receipt[];
}

/** All blocks that a request can see, by number: the accepted ones and those above, as one chain. */
export class EventBlocks {
  /** Number of the newest accepted block; -1 before block 0. */
  readonly latest: number;
  /** Number of the topmost block. */
  readonly top: number;
  readonly #context: ChainContext;
  readonly #views: ReadonlyMap<number, PendingBlock>;

  /** Captures the current blocks. */
  constructor(context: ChainContext) {
    const views = context.unaccepted();
    this.#context = context;
    this.latest = context.chain.latestNumber() ?? -1;
    this.#views = new Map(views.map((view) => [view.info.number, view]));
    this.top = Math.max(this.latest, ...this.#views.keys());
  }

  /** Returns the first block in the inclusive range `from` to `to` that has to be read. */
  next(query: EventQuery, from: number, to: number): number | undefined {
    if (from <= this.latest) {
      const found = this.#context.chain.nextEventBlock(query, from, to);
      if (found !== undefined) return found;
    }
    const above = Math.max(from, this.latest + 1);
    return above <= Math.min(to, this.top) ? above : undefined;
  }

  /** Returns the hash of an accepted block; `undefined` if the number has none. */
  hashOf(number: number): Felt | undefined {
    return number > this.latest ? undefined : this.#context.chain.header(number)?.hash;
  }

  /** Returns a block; `undefined` if the number has none. */
  block(number: number): EventBlock | undefined {
    if (number > this.latest) {
      const view = this.#views.get(number);
      return view === undefined ? undefined : { number, receipts: view.receipts };
    }
    const hash = this.hashOf(number);
    if (hash === undefined) return undefined;
    return { number, hash, receipts: this.#context.chain.receipts(number) };
  }
}

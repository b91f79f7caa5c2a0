import type { BlockHeader } from "#protocol/chain/index.ts";
import type { EventQuery } from "#engine/state/index.ts";
import { type ChainSource, pendingContent } from "./chain-source.ts";
import type { BlockContent, Executed, Place as BlockPlace } from "./executed.ts";

/** Receives what a walk passes. Long work is split by `yield`s, at which the walk may pause. */
export interface WalkSink {
  /** If set, only blocks that may match are of interest. */
  readonly query: EventQuery | undefined;
  readonly wantsHeads: boolean;
  /** Whether transactions of accepted blocks are of interest. */
  readonly wantsAccepted: boolean;
  /** Whether transactions are of interest before their block is accepted. */
  readonly wantsPreConfirmed: boolean;
  head(header: BlockHeader): Iterable<void>;
  executed(transaction: Executed): Iterable<void>;
}

/** Position among the transactions above the accepted blocks. */
interface Place {
  readonly block: number;
  /** Position in the block, from 0. */
  readonly index: number;
}

/** Number of blocks whose filters are checked between two `yield`s. */
const WINDOW = 64;

/**
 * Walk along the chain: first everything of accepted blocks in order, then transactions above them as they
 * arrive. If a transaction is reported both before and after its block's acceptance, each is reported once,
 * even if the block was accepted before this thread had seen all of it.
 */
export class ChainWalk {
  readonly #source: ChainSource;
  /** Accepted block that is being reported, or comes next. */
  #next: number;
  /**
   * Next transaction above the accepted blocks: earlier ones were reported, or existed before this walk
   * began. `undefined` while they are not of interest.
   */
  #preConfirmed: Place | undefined;

  /**
   * @param firstBlock - start of the walk; `undefined`: only what arrives from now on, even in the block
   *   being built
   */
  constructor(source: ChainSource, firstBlock: number | undefined) {
    this.#source = source;
    const { latest } = source;
    this.#next = Math.min(firstBlock ?? latest + 1, latest + 1);
    this.#preConfirmed = firstBlock === undefined ? undefined : { block: latest + 1, index: 0 };
  }

  /** Next block that this walk has not reported as accepted. */
  get next(): number {
    return this.#next;
  }

  /** Skips everything up to now. */
  skip(): void {
    this.#next = this.#source.latest + 1;
    this.#preConfirmed = undefined;
  }

  /**
   * Handles a reverted chain: a walk that was beyond the newest block continues after it.
   *
   * @returns whether the block being reported still exists: running steps then continue with the rest of it
   */
  reverted(): boolean {
    const { latest } = this.#source;
    if (this.#preConfirmed !== undefined && this.#preConfirmed.block > latest) {
      this.#preConfirmed = { block: latest + 1, index: 0 };
    }
    if (this.#next <= latest) return true;
    this.#next = latest + 1;
    return false;
  }

  /** Starts to follow transactions above the accepted blocks, from the current end. */
  follow(): void {
    this.#preConfirmed ??= this.#top();
  }

  /** Reports everything there is; ends when there is nothing more. */
  *advance(sink: WalkSink): Generator<void> {
    for (;;) {
      const { latest } = this.#source;
      if (this.#next <= latest) yield* this.#passAccepted(sink, latest);
      else if (!sink.wantsPreConfirmed) {
        this.#preConfirmed = undefined;
        return;
      } else if (!(yield* this.#passPreConfirmed(sink))) return;
    }
  }

  /** Position after everything known. */
  #top(): Place {
    const top = this.#source.unaccepted().at(-1);
    return top === undefined
      ? { block: this.#source.latest + 1, index: 0 }
      : { block: top.info.number, index: top.transactions.length };
  }

  *#passAccepted(sink: WalkSink, latest: number): Generator<void> {
    const from = this.#next;
    const { query } = sink;
    const last = query === undefined ? from : Math.min(latest, from + WINDOW - 1);
    const found = query === undefined ? from : this.#source.nextEventBlock(query, from, last);
    if (found !== undefined) {
      this.#next = found;
      const header = this.#source.header(found);
      if (header !== undefined) yield* this.#passBlock(sink, header);
    }
    this.#next = (found ?? last) + 1;
    yield;
  }

  *#passBlock(sink: WalkSink, header: BlockHeader): Generator<void> {
    const { number: blockNumber, hash: blockHash, transactionCount } = header;
    if (sink.wantsHeads) yield* sink.head(header);
    if (transactionCount === 0) return;
    const content = this.#source.content(header);
    if (sink.wantsPreConfirmed) {
      this.follow();
      const { block, index } = this.#preConfirmed ?? this.#top();
      if (block <= blockNumber) {
        const from = block === blockNumber ? index : 0;
        yield* report(sink, content, [from, transactionCount], {
          finality: "PRE_CONFIRMED",
          blockNumber,
        });
        this.#preConfirmed = { block: blockNumber + 1, index: 0 };
      }
    }
    if (!sink.wantsAccepted) return;
    const finality = this.#source.finalityOf(blockNumber);
    yield* report(sink, content, [0, transactionCount], { finality, blockNumber, blockHash });
  }

  /** Reports one transaction above the accepted blocks. @returns whether there was one */
  *#passPreConfirmed(sink: WalkSink): Generator<void, boolean> {
    this.follow();
    const { block, index } = this.#preConfirmed ?? this.#top();
    for (const view of this.#source.unaccepted()) {
      const { number: blockNumber } = view.info;
      if (blockNumber < block) continue;
      const begin = blockNumber === block ? index : 0;
      const content = pendingContent(view);
      const executed = content.executed(begin, { finality: "PRE_CONFIRMED", blockNumber });
      if (executed === undefined) continue;
      this.#preConfirmed = { block: blockNumber, index: begin + 1 };
      yield* sink.executed(executed);
      yield;
      return true;
    }
    return false;
  }
}

function* report(
  sink: WalkSink,
  content: BlockContent,
  [from, below]: readonly [number, number],
  place: BlockPlace,
): Generator<void> {
  for (let index = from; index < below; index++) {
    const executed = content.executed(index, place);
    if (executed === undefined) return;
    yield* sink.executed(executed);
    yield;
  }
}

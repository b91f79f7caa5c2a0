import { InvariantError } from "#base/errors/index.ts";
import type { ChainReader } from "./chain-reader.ts";
import type { OpenedDelta, PendingBlock, PendingDelta } from "./pending-block.ts";
import { Layer } from "./pending-layer.ts";
import { RecentState } from "./recent-state.ts";
import type { StateReader } from "./reader.ts";

/**
 * The blocks above the accepted chain as one thread knows them: sealed blocks that the committer
 * works on, and the block being built on top.
 *
 * Deltas arrive in order. A request that runs without waiting sees one fixed state; one that waits
 * must take {@link newest} again afterwards.
 */
export class PendingOverlay {
  readonly #chain: ChainReader;
  /** Ascending by block number without gaps; the first one follows the accepted chain. */
  #layers: Layer[] = [];
  #base: number;
  readonly #accepted: RecentState;

  /** @param chain - reader whose newest block is the accepted base at the start */
  constructor(chain: ChainReader) {
    this.#chain = chain;
    this.#base = chain.latestNumber() ?? -1;
    this.#accepted = new RecentState(chain, this.#base);
  }

  /** Number of the newest block that was announced as accepted; -1 before block 0. */
  get acceptedNumber(): number {
    return this.#base;
  }

  /** Whether anybody reads the accepted state, so that knowing what a block changed saves reading. */
  get isRead(): boolean {
    return this.#accepted.isUsed;
  }

  /**
   * Adds what the executor did.
   *
   * @throws {InvariantError} when a delta is missing
   */
  apply(delta: PendingDelta): void {
    const { transactions, receipts } = delta;
    const hashes = transactions.map(({ hash }) => hash);
    this.applyOpened({ ...delta, hashes, contents: () => ({ transactions, receipts }) });
  }

  /**
   * As {@link apply}; transactions and receipts are decoded when somebody asks for them.
   *
   * @throws {InvariantError} when a delta is missing
   */
  applyOpened(delta: OpenedDelta): void {
    const top = this.#layers.at(-1);
    if (delta.sequence === 0) {
      const expected = this.#base + this.#layers.length + 1;
      if (delta.info === null || delta.blockNumber !== expected) {
        throw new InvariantError(
          `pending delta of block ${delta.blockNumber} where block ${expected} must start`,
        );
      }
      const layer = new Layer(delta.info, this.state(), top);
      layer.add(delta);
      this.#layers.push(layer);
      return;
    }
    if (top?.info.number !== delta.blockNumber || top.nextSequence !== delta.sequence) {
      throw new InvariantError(
        `pending delta ${delta.sequence} of block ${delta.blockNumber} does not follow`,
      );
    }
    if (delta.info === null) {
      top.add(delta);
      return;
    }
    const layer = new Layer(delta.info, top.below.source, top.lower);
    layer.add(delta);
    this.#layers[this.#layers.length - 1] = layer;
  }

  /** Block `blockNumber` is accepted: its content is read from the database from now on. */
  accepted(blockNumber: number): void {
    if (blockNumber <= this.#base) return;
    const gone = this.#layers.slice(0, blockNumber - this.#base);
    const isKnown = gone.length === blockNumber - this.#base && gone.every(isSealed);
    const diffs = isKnown ? gone.map(({ stateDiff }) => stateDiff) : undefined;
    this.#accepted.advance(blockNumber, diffs);
    this.#base = blockNumber;
    this.#layers = this.#layers.slice(gone.length);
    // The lowest layer stood on the layer that is gone now; the database says the same. A whole block on
    // top of the database says so too, to whom still reads through it: a block may be open on it.
    for (const layer of [this.#layers[0], isKnown ? gone.at(-1) : undefined]) {
      if (layer === undefined) continue;
      layer.below.source = this.#accepted.newest();
      layer.lower = undefined;
    }
  }

  /** Begins anew at the chain's newest block: it was reverted, and what stood above it is gone. */
  reset(): void {
    this.#base = this.#chain.latestNumber() ?? -1;
    this.#layers = [];
    this.#accepted.reset(this.#base);
  }

  /** The topmost block above the accepted chain. */
  newest(): PendingBlock | undefined {
    return this.#layers.at(-1);
  }

  /** All blocks above the accepted chain, lowest first. */
  blocks(): readonly PendingBlock[] {
    return this.#layers;
  }

  /** State after everything that is known. */
  state(): StateReader {
    return this.#layers.at(-1)?.state ?? this.#accepted.newest();
  }
}

function isSealed(layer: Layer): boolean {
  return layer.isSealed;
}

import { InvariantError } from "#base/errors/index.ts";
import type { ChainReader } from "./chain-reader.ts";
import type { LazyDelta, PendingBlock, PendingDelta } from "./pending-block.ts";
import { Layer } from "./pending-layer.ts";
import { RecentState } from "./recent-state.ts";
import type { StateReader } from "./reader.ts";

/**
 * Blocks above the accepted chain, as seen by one thread: sealed blocks that are being committed, and the
 * block under construction on top.
 *
 * Deltas arrive in order. A synchronous request sees one fixed state; after an `await` it must call
 * {@link newest} again.
 */
export class PendingOverlay {
  readonly #chain: ChainReader;
  /** Ascending by block number without gaps; the first one follows the accepted chain. */
  #layers: Layer[] = [];
  #base: number;
  readonly #accepted: RecentState;

  /** @param chain - reader whose newest block is the initial accepted base */
  constructor(chain: ChainReader) {
    this.#chain = chain;
    this.#base = chain.latestNumber() ?? -1;
    this.#accepted = new RecentState(chain, this.#base);
  }

  /** Number of the newest block announced as accepted; -1 before block 0. */
  get acceptedNumber(): number {
    return this.#base;
  }

  /** Whether the accepted state is in use, so that known block diffs save storage reads. */
  get isRead(): boolean {
    return this.#accepted.isUsed;
  }

  /**
   * Applies a delta of the executor.
   *
   * @throws {InvariantError} when a delta is missing
   */
  apply(delta: PendingDelta): void {
    const { transactions, receipts } = delta;
    const hashes = transactions.map(({ hash }) => hash);
    this.applyLazy({ ...delta, hashes, contents: () => ({ transactions, receipts }) });
  }

  /**
   * Like {@link apply}, but decodes transactions and receipts on demand.
   *
   * @throws {InvariantError} when a delta is missing
   */
  applyLazy(delta: LazyDelta): void {
    const top = this.#layers.at(-1);
    if (delta.sequence === 0) {
      const expected = this.#base + this.#layers.length + 1;
      if (delta.info === null || delta.blockNumber !== expected) {
        throw new InvariantError(
          `pending delta of block ${delta.blockNumber} but block ${expected} must start`,
        );
      }
      const layer = new Layer(delta.info, this.state(), top);
      layer.add(delta);
      this.#layers.push(layer);
      return;
    }
    if (top?.info.number !== delta.blockNumber || top.nextSequence !== delta.sequence) {
      throw new InvariantError(
        `pending delta ${delta.sequence} of block ${delta.blockNumber} is out of sequence`,
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

  /** Records that block `blockNumber` was accepted; its contents are read from the database from now on. */
  accepted(blockNumber: number): void {
    if (blockNumber <= this.#base) return;
    const removed = this.#layers.slice(0, blockNumber - this.#base);
    const isKnown = removed.length === blockNumber - this.#base && removed.every(isSealed);
    const diffs = isKnown ? removed.map(({ stateDiff }) => stateDiff) : undefined;
    this.#accepted.advance(blockNumber, diffs);
    this.#base = blockNumber;
    this.#layers = this.#layers.slice(removed.length);
    // The lowest layer was based on a layer that is now removed; the database returns equal values. The
    // topmost removed layer is rebased too, because a block under construction may still read through it.
    for (const layer of [this.#layers[0], isKnown ? removed.at(-1) : undefined]) {
      if (layer === undefined) continue;
      layer.below.source = this.#accepted.newest();
      layer.lower = undefined;
    }
  }

  /** Restarts from the chain's newest block after a revert; drops all blocks above it. */
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

  /** State after the newest block, accepted or pending. */
  state(): StateReader {
    return this.#layers.at(-1)?.state ?? this.#accepted.newest();
  }
}

function isSealed(layer: Layer): boolean {
  return layer.isSealed;
}

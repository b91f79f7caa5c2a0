import type { Felt } from "#base/primitives/index.ts";
import type { BlockInfo, EncodedClass, StateDiff } from "#protocol/chain/index.ts";
import type { PreConfirmedBlock } from "#io/feeder/index.ts";
import type { DeltaMessage } from "#services/admission/index.ts";
import type { PendingGone } from "../messages.ts";
import type { Executed } from "./executed-part.ts";
import { refuse } from "../refusal.ts";
import { Layer } from "./layer.ts";

/** Blocks above the accepted ones that are held: a sequencer seals no more before one is accepted. */
export const MAX_LAYERS = 16;

/**
 * Bytes of them from which on nothing more is told: nobody has signed them, every thread holds them, and
 * blocks that a sequencer makes are far smaller.
 */
export const MAX_LAYER_BYTES = 64 * 2 ** 20;

/** What the layers work with. */
export interface LayersDeps {
  /** Number of the newest accepted block; -1: there is none. */
  readonly accepted: number;
  /** What a block changes before its first transaction. */
  readonly changedBefore: (info: BlockInfo) => StateDiff;
  /** Tells every reader. */
  readonly tell: (message: DeltaMessage | PendingGone) => void;
}

/** The blocks above the accepted ones as all readers were told of them, in their order without gaps. */
export class Layers {
  readonly #tell: LayersDeps["tell"];
  readonly #changedBefore: LayersDeps["changedBefore"];
  #layers: Layer[] = [];
  #accepted: number;

  constructor({ accepted, changedBefore, tell }: LayersDeps) {
    this.#accepted = accepted;
    this.#changedBefore = changedBefore;
    this.#tell = tell;
  }

  /** The topmost block; `undefined`: nothing is known above the accepted ones. */
  get top(): Layer | undefined {
    return this.#layers.at(-1);
  }

  /** Number of the block to ask for: the one that grows. */
  get growing(): number {
    return this.top?.number ?? this.#accepted + 1;
  }

  /** Whether a transaction is in one of the blocks. */
  has(hash: Felt): boolean {
    return this.#layers.some((layer) => layer.has(hash));
  }

  /** A block is accepted: readers have it from the chain. */
  accepted(blockNumber: number): void {
    this.#accepted = Math.max(this.#accepted, blockNumber);
    this.#layers = this.#layers.filter(({ number }) => number > this.#accepted);
  }

  /** What is above the accepted blocks is lost. */
  lose(): void {
    if (this.#layers.length === 0) return;
    this.#layers = [];
    this.#tell({ kind: "pendingGone" });
  }

  /**
   * More of the topmost block, nothing of it twice.
   *
   * @throws {BlockRefused} when too much is held already
   */
  grow(
    layer: Layer,
    executed: readonly Executed[],
    classes: readonly EncodedClass[],
    isLast: boolean,
  ): void {
    if (executed.length === 0 && !(isLast && !layer.isComplete)) return;
    if (executed.length > 0) this.#requireRoom(layer.number);
    this.#tell(layer.add({ executed, classes, isLast }));
  }

  /**
   * A block on top of all others.
   *
   * @throws {BlockRefused} when too much is held already
   */
  open(
    { info, identifier }: PreConfirmedBlock,
    executed: readonly Executed[],
    classes: readonly EncodedClass[],
  ): void {
    if (this.#layers.length >= MAX_LAYERS) return;
    this.#requireRoom(info.number);
    const layer = new Layer(info, identifier, this.#changedBefore(info), 0);
    this.#layers.push(layer);
    this.#tell(layer.add({ executed, classes, isLast: false }));
  }

  /** Another making of the topmost block, with all that it had, in its place. */
  replace(
    { info, identifier }: PreConfirmedBlock,
    executed: readonly Executed[],
    classes: readonly EncodedClass[],
    isLast: boolean,
  ): void {
    const old = this.#layers.pop();
    const layer = new Layer(info, identifier, this.#changedBefore(info), old?.sequence ?? 0);
    this.#layers.push(layer);
    this.#tell(layer.add({ executed, classes, isLast }));
  }

  /** How many blocks are held. */
  get count(): number {
    return this.#layers.length;
  }

  #requireRoom(blockNumber: number): void {
    const sizeBytes = this.#layers.reduce((sum, each) => sum + each.sizeBytes, 0);
    if (sizeBytes < MAX_LAYER_BYTES) return;
    const found = `more than ${MAX_LAYER_BYTES} bytes were told of blocks that are not accepted`;
    refuse("form", blockNumber, `pre-confirmed block ${blockNumber}: ${found}`);
  }
}

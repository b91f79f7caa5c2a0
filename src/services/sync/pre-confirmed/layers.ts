import type { Felt } from "#base/primitives/index.ts";
import type { BlockInfo, EncodedClass, StateDiff } from "#protocol/chain/index.ts";
import type { PreConfirmedBlock } from "#io/feeder/index.ts";
import type { DeltaMessage } from "#services/admission/index.ts";
import type { PendingDropped } from "../messages.ts";
import type { Executed } from "./executed-part.ts";
import { refuse } from "../refusal.ts";
import { Layer } from "./layer.ts";

/** Maximum number of blocks held above the accepted ones. A sequencer seals no more until one is accepted. */
export const MAX_LAYERS = 16;

/**
 * Size in bytes above which nothing more is published. Nobody has signed these blocks, and every thread holds
 * them; real blocks are far smaller.
 */
export const MAX_LAYER_BYTES = 64 * 2 ** 20;

/** Dependencies of {@link Layers}. */
export interface LayersDeps {
  /** Number of the newest accepted block; -1 if none. */
  readonly accepted: number;
  /** Returns the state change of a block before its first transaction. */
  readonly changedBefore: (info: BlockInfo) => StateDiff;
  readonly tell: (message: DeltaMessage | PendingDropped) => void;
}

/** Blocks above the accepted ones, as published to all readers, in their order and without gaps. */
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

  /** Topmost block; `undefined` if none is known above the accepted ones. */
  get top(): Layer | undefined {
    return this.#layers.at(-1);
  }

  /** Number of the block to poll: the one that is being built. */
  get growing(): number {
    return this.top?.number ?? this.#accepted + 1;
  }

  /** Whether one of the blocks contains a transaction. */
  has(hash: Felt): boolean {
    return this.#layers.some((layer) => layer.has(hash));
  }

  /** Records an accepted block, which readers now have from the chain. */
  accepted(blockNumber: number): void {
    this.#accepted = Math.max(this.#accepted, blockNumber);
    this.#layers = this.#layers.filter(({ number }) => number > this.#accepted);
  }

  /** Discards all blocks above the accepted ones. */
  lose(): void {
    if (this.#layers.length === 0) return;
    this.#layers = [];
    this.#tell({ kind: "pendingDropped" });
  }

  /**
   * Adds new content to the topmost block.
   *
   * @throws {BlockRefused} when the size limit is reached
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
   * Adds a block on top of all others.
   *
   * @throws {BlockRefused} when the size limit is reached
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

  /** Replaces the topmost block by another build that contains all of its content. */
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

  get count(): number {
    return this.#layers.length;
  }

  #requireRoom(blockNumber: number): void {
    const sizeBytes = this.#layers.reduce((sum, each) => sum + each.sizeBytes, 0);
    if (sizeBytes < MAX_LAYER_BYTES) return;
    const found = `blocks that are not accepted exceed ${MAX_LAYER_BYTES} bytes`;
    refuse("form", blockNumber, `pre-confirmed block ${blockNumber}: ${found}`);
  }
}

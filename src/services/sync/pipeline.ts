import type { Felt } from "#base/primitives/index.ts";
import type { EncodedClass } from "#protocol/chain/index.ts";
import type { CheckedBlocks } from "./checked-blocks.ts";
import type { CheckedBlock } from "./ports.ts";
import type { PreparedClasses } from "./prepared-classes.ts";
import type { PipelineLimits } from "./settings.ts";

/** Checked block, with those of its classes that were not stored at that time. */
export interface PreparedBlock {
  readonly block: CheckedBlock;
  readonly classes: readonly EncodedClass[];
}

/** Dependencies of a {@link BlockPipeline}. */
export interface PipelineDeps {
  readonly blocks: Pick<CheckedBlocks, "get">;
  readonly classes: Pick<PreparedClasses, "ahead">;
}

type Outcome =
  | { readonly kind: "prepared"; readonly prepared: PreparedBlock | undefined }
  | { readonly kind: "failed"; readonly error: unknown };

interface Slot {
  readonly outcome: Promise<Outcome>;
  /** Size if known, otherwise the expected size. */
  sizeBytes: number;
  isSettled: boolean;
  isMissing: boolean;
}

/** Expected size of a block before the first one has arrived. */
const FIRST_SIZE_BYTES = 64 * 1024;

/** Decay of the expected size: the next expectation is at least this fraction of the current one. */
const SIZE_MEMORY = 0.9;

/**
 * Blocks ahead of the newest stored one. They are fetched and checked concurrently, in any order, and
 * returned in sequence. Count and size are limited, so that neither a missing block nor large blocks exhaust
 * memory.
 */
export class BlockPipeline {
  readonly #deps: PipelineDeps;
  readonly #limits: PipelineLimits;
  #slots = new Map<number, Slot>();
  #publicKey: Felt = 0n;
  /** Number of the block to return next. */
  #next = 0;
  /** Highest block that may be fetched. */
  #last = -1;
  #expectedBytes = FIRST_SIZE_BYTES;
  /** Number of abandoned blocks that are still in flight. */
  #abandoned = 0;

  constructor(deps: PipelineDeps, limits: PipelineLimits) {
    this.#deps = deps;
    this.#limits = limits;
  }

  /** Number of blocks held or in flight. */
  get held(): number {
    return this.#slots.size + this.#abandoned;
  }

  /**
   * Restarts with block `from`. Blocks in flight are abandoned, and count as held until their requests end.
   */
  begin(from: number, publicKey: Felt): void {
    for (const slot of this.#slots.values()) {
      if (slot.isSettled) continue;
      this.#abandoned++;
      void slot.outcome.then(() => {
        this.#abandoned--;
        this.#fill();
      });
    }
    this.#slots = new Map();
    this.#publicKey = publicKey;
    this.#next = from;
    this.#last = from - 1;
  }

  /** Allows fetching up to this block. */
  extend(to: number): void {
    this.#last = Math.max(this.#last, to);
    this.#fill();
  }

  /**
   * Returns the next block; the same one until {@link advance} is called.
   *
   * @returns `undefined` when the gateway does not have it
   * @throws {BlockRefused} when the block, or one of its classes, is invalid
   */
  async next(): Promise<PreparedBlock | undefined> {
    const outcome = await this.#slots.get(this.#next)?.outcome;
    if (outcome?.kind === "failed") throw outcome.error;
    return outcome?.prepared;
  }

  /**
   * Requests missing blocks again and keeps the others. Behind a load balancer with lagging replicas, each
   * request then has to succeed only once.
   */
  again(): void {
    for (const [number, { isMissing }] of this.#slots) {
      if (isMissing) this.#slots.set(number, this.#slotOf(number));
    }
  }

  /** Removes the next block, which is now stored, and makes room for another one. */
  advance(): void {
    this.#slots.delete(this.#next++);
    this.#fill();
  }

  #fill(): void {
    for (;;) {
      const number = this.#next + this.#slots.size;
      if (number > this.#last || !this.#hasRoom()) return;
      this.#slots.set(number, this.#slotOf(number));
    }
  }

  #slotOf(number: number): Slot {
    const slot: Slot = {
      outcome: this.#prepare(number, (sizeBytes) => {
        slot.sizeBytes = sizeBytes;
      }),
      sizeBytes: this.#expectedBytes,
      isSettled: false,
      isMissing: false,
    };
    void slot.outcome.then((outcome) => {
      slot.isSettled = true;
      slot.isMissing = outcome.kind === "prepared" && outcome.prepared === undefined;
    });
    return slot;
  }

  #hasRoom(): boolean {
    const { maxBlocks, maxBytes } = this.#limits;
    if (this.held >= 2 * maxBlocks) return false;
    if (this.#slots.size === 0) return true;
    if (this.held >= maxBlocks) return false;
    let bytes = this.#expectedBytes;
    for (const { sizeBytes } of this.#slots.values()) bytes += sizeBytes;
    return bytes <= maxBytes;
  }

  async #prepare(number: number, onSize: (sizeBytes: number) => void): Promise<Outcome> {
    try {
      const block = await this.#deps.blocks.get(number, this.#publicKey, (sizeBytes) => {
        this.#expectedBytes = Math.max(sizeBytes, this.#expectedBytes * SIZE_MEMORY);
        onSize(sizeBytes);
      });
      if (block === undefined) return { kind: "prepared", prepared: undefined };
      const classes = await this.#deps.classes.ahead(block);
      return { kind: "prepared", prepared: { block, classes } };
    } catch (error) {
      // Kept for the caller that reaches this block, if any does.
      return { kind: "failed", error };
    }
  }
}

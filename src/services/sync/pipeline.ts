import type { Felt } from "#base/primitives/index.ts";
import type { EncodedClass } from "#protocol/chain/index.ts";
import type { CheckedBlocks } from "./checked-blocks.ts";
import type { CheckedBlock } from "./ports.ts";
import type { PreparedClasses } from "./prepared-classes.ts";
import type { PipelineLimits } from "./settings.ts";

/** A block that was checked, with those of its classes that were not stored when it was. */
export interface PreparedBlock {
  readonly block: CheckedBlock;
  readonly classes: readonly EncodedClass[];
}

/** What a pipeline works with. */
export interface PipelineDeps {
  readonly blocks: Pick<CheckedBlocks, "get">;
  readonly classes: Pick<PreparedClasses, "ahead">;
}

type Outcome =
  | { readonly kind: "prepared"; readonly prepared: PreparedBlock | undefined }
  | { readonly kind: "failed"; readonly error: unknown };

interface Slot {
  readonly outcome: Promise<Outcome>;
  /** What is known of its size, or expected. */
  sizeBytes: number;
  isSettled: boolean;
  /** The gateway did not have it. */
  isMissing: boolean;
}

/** What a block is taken to have before the first one came. */
const FIRST_SIZE_BYTES = 64 * 1024;

/** Part of what a block is expected to have that the next one is expected to have at least. */
const SIZE_MEMORY = 0.9;

/**
 * Blocks ahead of the newest stored one, fetched and checked side by side in any order and given in
 * theirs: as many as the limits allow, so that neither a block that does not come nor large ones take
 * more memory than that.
 */
export class BlockPipeline {
  readonly #deps: PipelineDeps;
  readonly #limits: PipelineLimits;
  #slots = new Map<number, Slot>();
  #publicKey: Felt = 0n;
  /** The block that is given next. */
  #next = 0;
  /** The last one that may be fetched. */
  #last = -1;
  #expectedBytes = FIRST_SIZE_BYTES;
  /** Blocks under way that nobody wants any more. */
  #abandoned = 0;

  constructor(deps: PipelineDeps, limits: PipelineLimits) {
    this.#deps = deps;
    this.#limits = limits;
  }

  /** Number of blocks that are held or under way. */
  get held(): number {
    return this.#slots.size + this.#abandoned;
  }

  /** Begins anew with block `from`; what is under way comes to nothing, and counts until it ends. */
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

  /** Blocks up to this one may be fetched. */
  extend(to: number): void {
    this.#last = Math.max(this.#last, to);
    this.#fill();
  }

  /**
   * The next block, the same one until it is {@link taken}.
   *
   * @returns `undefined` when the gateway does not have it
   * @throws {BlockRefused} when it, or one of its classes, is not right
   */
  async next(): Promise<PreparedBlock | undefined> {
    const outcome = await this.#slots.get(this.#next)?.outcome;
    if (outcome?.kind === "failed") throw outcome.error;
    return outcome?.prepared;
  }

  /**
   * Asks once more for what the gateway did not have; the others are kept, so that of a balancer whose
   * replicas lag each question has to meet one that does not only once.
   */
  again(): void {
    for (const [number, { isMissing }] of this.#slots) {
      if (isMissing) this.#slots.set(number, this.#slotOf(number));
    }
  }

  /** The next block is stored: room for another one. */
  taken(): void {
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
      // Whoever comes to this block has the error; nobody may.
      return { kind: "failed", error };
    }
  }
}

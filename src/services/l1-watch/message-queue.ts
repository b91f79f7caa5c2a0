import type { WaitingMessage } from "./waiting-message.ts";

/** Range of messages, by nonce, that are not held in memory: their logs must be read again. */
export interface UnheldMessages {
  /** First nonce, inclusive. */
  readonly from: bigint;
  /** Last nonce, exclusive. */
  readonly to: bigint;
  /** First L1 block of their logs; `lastBlock` is inclusive. */
  readonly firstBlock: number;
  readonly lastBlock: number;
}

/** Limits of the messages held in memory. */
export interface QueueLimits {
  readonly heldMessages: number;
  readonly heldBytes: number;
}

/** Approximate number of messages whose logs are read again together. */
const UNHELD_AT_ONCE = 1024n;

/** Approximate memory of a message in addition to its transaction's bytes. */
const MESSAGE_OVERHEAD_BYTES = 512;

/**
 * Messages in execution order. Only a limited number is held in memory; for later ones only their L1 block
 * range is kept.
 */
export class MessageQueue {
  readonly #limits: QueueLimits;
  #held: WaitingMessage[] = [];
  #heldBytes = 0;
  #unheld: UnheldMessages[] = [];

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** Number of waiting messages, held or not. */
  get size(): number {
    const unheld = this.#unheld.reduce((sum, { from, to }) => sum + (to - from), 0n);
    return this.#held.length + Number(unheld);
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  get heldMessages(): number {
    return this.#held.length;
  }

  /** Whether no more messages can be held now. */
  get isFull(): boolean {
    const { heldMessages, heldBytes } = this.#limits;
    return this.#held.length >= heldMessages || this.#heldBytes >= heldBytes;
  }

  /** Whether the next message can be held: there is room, and all before it are held. */
  get takesNext(): boolean {
    return this.#unheld.length === 0 && !this.isFull;
  }

  /** Messages whose logs should be read now: they are next, and there is room. */
  get wanted(): UnheldMessages | undefined {
    const { heldMessages, heldBytes } = this.#limits;
    const hasRoom = this.#held.length * 2 <= heldMessages && this.#heldBytes * 2 <= heldBytes;
    return hasRoom ? this.#unheld[0] : undefined;
  }

  /** Appends a message to the held ones. */
  push(message: WaitingMessage): void {
    this.#held.push(message);
    this.#heldBytes += sizeOf(message);
  }

  /** Records a message that is not held; must be called in nonce order. */
  pushUnheld(nonce: bigint, l1BlockNumber: number): void {
    const last = this.#unheld.at(-1);
    if (last !== undefined && last.to - last.from < UNHELD_AT_ONCE) {
      this.#unheld[this.#unheld.length - 1] = { ...last, to: nonce + 1n, lastBlock: l1BlockNumber };
    } else {
      const blocks = { firstBlock: l1BlockNumber, lastBlock: l1BlockNumber };
      this.#unheld.push({ from: nonce, to: nonce + 1n, ...blocks });
    }
  }

  /** Records that all messages below `nonce` are held now, or no longer wait. */
  nowHeldBelow(nonce: bigint, l1BlockNumber: number): void {
    const [first, ...others] = this.#unheld;
    if (first === undefined) return;
    const rest = { ...first, from: nonce, firstBlock: l1BlockNumber };
    this.#unheld = first.to > nonce ? [rest, ...others] : others;
  }

  /** Removes the first held messages up to a count and a size; at least one if any is held. */
  take(most: number, mostBytes: number): readonly WaitingMessage[] {
    let bytes = 0;
    let count = 0;
    for (const message of this.#held) {
      bytes += message.bytes.length;
      if (count === most || (count > 0 && bytes > mostBytes)) break;
      count++;
    }
    const taken = this.#held.splice(0, count);
    for (const message of taken) this.#heldBytes -= sizeOf(message);
    return taken;
  }

  putBack(messages: readonly WaitingMessage[]): void {
    if (messages.length === 0) return;
    this.#held = [...messages, ...this.#held].sort((a, b) => (a.nonce < b.nonce ? -1 : 1));
    for (const message of messages) this.#heldBytes += sizeOf(message);
  }

  clear(): void {
    this.#held = [];
    this.#heldBytes = 0;
    this.#unheld = [];
  }
}

function sizeOf({ bytes }: WaitingMessage): number {
  return bytes.length + MESSAGE_OVERHEAD_BYTES;
}

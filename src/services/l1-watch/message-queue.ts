import type { WaitingMessage } from "./waiting-message.ts";

/** Messages that are not held: their logs are to be read again. */
export interface UnheldMessages {
  /** The first nonce of them. */
  readonly from: bigint;
  /** The first one behind them. */
  readonly to: bigint;
  /** The L1 blocks whose logs have them, both inclusive. */
  readonly firstBlock: number;
  readonly lastBlock: number;
}

/** How much is held. */
export interface QueueLimits {
  readonly heldMessages: number;
  readonly heldBytes: number;
}

/** Messages whose logs are read again at once, about. */
const UNHELD_AT_ONCE = 1024n;

/** What a message takes beside the bytes of its transaction, about. */
const MESSAGE_OVERHEAD_BYTES = 512;

/**
 * Messages in the order in which they are to be executed. Only so many are held; of those behind them it
 * is known which L1 blocks have them.
 */
export class MessageQueue {
  readonly #limits: QueueLimits;
  #held: WaitingMessage[] = [];
  #heldBytes = 0;
  #unheld: UnheldMessages[] = [];

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** How many wait, held or not. */
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

  /** Nothing more is held for now. */
  get isFull(): boolean {
    const { heldMessages, heldBytes } = this.#limits;
    return this.#held.length >= heldMessages || this.#heldBytes >= heldBytes;
  }

  /** Whether a message that comes now is to be held: none before it is not. */
  get takesNext(): boolean {
    return this.#unheld.length === 0 && !this.isFull;
  }

  /** Those whose logs are to be read now: it is their turn, and there is room for them. */
  get wanted(): UnheldMessages | undefined {
    const { heldMessages, heldBytes } = this.#limits;
    const hasRoom = this.#held.length * 2 <= heldMessages && this.#heldBytes * 2 <= heldBytes;
    return hasRoom ? this.#unheld[0] : undefined;
  }

  /** Puts one behind all that are held. */
  push(message: WaitingMessage): void {
    this.#held.push(message);
    this.#heldBytes += sizeOf(message);
  }

  /** Remembers where one is that is not held; they come in the order of their nonces. */
  pushUnheld(nonce: bigint, l1BlockNumber: number): void {
    const last = this.#unheld.at(-1);
    if (last !== undefined && last.to - last.from < UNHELD_AT_ONCE) {
      this.#unheld[this.#unheld.length - 1] = { ...last, to: nonce + 1n, lastBlock: l1BlockNumber };
    } else {
      const blocks = { firstBlock: l1BlockNumber, lastBlock: l1BlockNumber };
      this.#unheld.push({ from: nonce, to: nonce + 1n, ...blocks });
    }
  }

  /** All up to `nonce`, which is not among them, are held now, or wait no more. */
  nowHeldBelow(nonce: bigint, l1BlockNumber: number): void {
    const [first, ...others] = this.#unheld;
    if (first === undefined) return;
    const rest = { ...first, from: nonce, firstBlock: l1BlockNumber };
    this.#unheld = first.to > nonce ? [rest, ...others] : others;
  }

  /** Removes the first ones, up to a number and a size; at least one if any is held. */
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

  /** Puts some back to where their nonces belong. */
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

import type { Felt, Timer } from "#base/primitives/index.ts";

/** How long an invoke waits for its sender's deployment, which was sent at the same time. */
export const EARLY_WAIT_MS = 1_000;

/** How often waits that are over are looked for. */
const LOOK_MS = 250;

/** Most that wait for one sender; one more ends the wait of the oldest. */
export const MAX_EARLY_PER_SENDER = 16;

/** Most that wait; one more ends the wait of the oldest. */
export const MAX_EARLY = 1_024;

/** Most bytes of all that wait; more end the waits of the oldest. */
export const MAX_EARLY_BYTES: number = 16 << 20;

/** What early invokes wait with. */
export interface EarlyInvokesDeps<T> {
  readonly timer: Timer;
  /** Takes back what has waited: its sender's deployment is here, or is not going to come. */
  readonly release: (item: T) => void;
}

interface Early<T> {
  readonly item: T;
  readonly sizeBytes: number;
  /** When the wait is over. */
  readonly endsMs: number;
}

/**
 * Invokes that came before the transaction that deploys their sender: whoever sends both at once has
 * no say in which of them arrives first. They wait a moment, or as long as that transaction is being
 * checked. A client that sends nothing but such invokes ends its own waits first, then the oldest of
 * all.
 */
export class EarlyInvokes<T> {
  readonly #deps: EarlyInvokesDeps<T>;
  /** By sender; the one that has waited longest first. */
  readonly #waiting = new Map<Felt, Early<T>[]>();
  /** Senders of deployments that are being checked, by the number of their submission. */
  readonly #checking = new Map<number, Felt>();
  #count = 0;
  #bytes = 0;
  #cancel: (() => void) | undefined;

  constructor(deps: EarlyInvokesDeps<T>) {
    this.#deps = deps;
  }

  /** Invokes that wait. */
  get size(): number {
    return this.#count;
  }

  /** Keeps an invoke for a while. */
  hold(sender: Felt, item: T, sizeBytes: number): void {
    const endsMs = this.#deps.timer.nowMs() + EARLY_WAIT_MS;
    const others = this.#waiting.get(sender) ?? [];
    // The sender that waits for longest stands first in the map: a new one comes last.
    if (others.length === 0) this.#waiting.set(sender, others);
    others.push({ item, sizeBytes, endsMs });
    this.#count++;
    this.#bytes += sizeBytes;
    if (others.length > MAX_EARLY_PER_SENDER) this.#endFirst(sender);
    while (this.#count > MAX_EARLY || this.#bytes > MAX_EARLY_BYTES) {
      const [oldest] = this.#waiting.keys();
      if (oldest === undefined) break;
      this.#endFirst(oldest);
    }
    this.#setAlarm();
  }

  /** The deployment of a sender is being checked, which may take long. */
  checking(id: number, sender: Felt): void {
    this.#checking.set(id, sender);
  }

  /** The check of a submission has ended. */
  checked(id: number): void {
    this.#checking.delete(id);
  }

  /** The deployment of a sender is in the mempool. */
  arrived(sender: Felt): void {
    while (this.#waiting.has(sender)) this.#endFirst(sender);
  }

  /** Forgets everything: nothing of it was answered. */
  stop(): void {
    this.#cancel?.();
    this.#waiting.clear();
    this.#checking.clear();
    this.#count = 0;
    this.#bytes = 0;
  }

  #endFirst(sender: Felt): void {
    const waiting = this.#waiting.get(sender) ?? [];
    const first = waiting.shift();
    if (waiting.length === 0) this.#waiting.delete(sender);
    if (first === undefined) return;
    this.#count--;
    this.#bytes -= first.sizeBytes;
    this.#deps.release(first.item);
  }

  #setAlarm(): void {
    if (this.#cancel !== undefined || this.#count === 0) return;
    this.#cancel = this.#deps.timer.after(LOOK_MS, () => {
      this.#cancel = undefined;
      this.#endOld();
      this.#setAlarm();
    });
  }

  #endOld(): void {
    const nowMs = this.#deps.timer.nowMs();
    const checked = new Set(this.#checking.values());
    for (const [sender, waiting] of [...this.#waiting]) {
      if (checked.has(sender)) continue;
      while ((waiting[0]?.endsMs ?? Infinity) <= nowMs) this.#endFirst(sender);
    }
  }
}

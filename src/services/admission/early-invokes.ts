import type { Felt, Timer } from "#base/primitives/index.ts";

/**
 * Maximum time that an invoke waits for its sender's deployment, which may have been sent
 * concurrently.
 */
export const EARLY_WAIT_MS = 1_000;

/** Interval between checks for expired waits. */
const LOOK_MS = 250;

/**
 * Maximum invokes per sender that wait for the sender's deployment; one more releases the sender's oldest.
 */
export const MAX_EARLY_PER_SENDER = 16;

/** Maximum invokes in total that wait for their senders' deployments; one more releases the oldest. */
export const MAX_EARLY = 1_024;

/** Maximum bytes of all invokes that wait for their senders' deployments; more release the oldest. */
export const MAX_EARLY_BYTES: number = 16 << 20;

/** Dependencies of {@link EarlyInvokes}. */
export interface EarlyInvokesDeps<T> {
  readonly timer: Timer;
  /**
   * Resubmits an invoke after its wait: its sender's deployment has arrived, or is not expected any longer.
   */
  readonly release: (item: T) => void;
}

interface Early<T> {
  readonly item: T;
  readonly sizeBytes: number;
  /** End of the wait on the timer's clock. */
  readonly endsMs: number;
}

/**
 * Invokes that arrived before the transaction that deploys their sender: a client that sends both
 * concurrently cannot control which arrives first. They wait briefly, or as long as the deployment is being
 * checked. Beyond {@link MAX_EARLY_PER_SENDER} invokes of a sender, its oldest is submitted again immediately;
 * beyond the limits in total, the oldest invoke of the sender that has waited longest.
 */
export class EarlyInvokes<T> {
  readonly #deps: EarlyInvokesDeps<T>;
  /** By sender; oldest wait first. */
  readonly #waiting = new Map<Felt, Early<T>[]>();
  /** Senders whose deployment is being checked, by submission id. */
  readonly #checking = new Map<number, Felt>();
  #count = 0;
  #bytes = 0;
  #cancel: (() => void) | undefined;

  constructor(deps: EarlyInvokesDeps<T>) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#count;
  }

  /** Holds an invoke for a limited time. */
  hold(sender: Felt, item: T, sizeBytes: number): void {
    const endsMs = this.#deps.timer.nowMs() + EARLY_WAIT_MS;
    const others = this.#waiting.get(sender) ?? [];
    // The map is ordered by longest wait: a new sender goes last.
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

  /** Marks a sender's deployment as being checked, which may take long. */
  checking(id: number, sender: Felt): void {
    this.#checking.set(id, sender);
  }

  /** Records that the check of a submission has ended. */
  checked(id: number): void {
    this.#checking.delete(id);
  }

  /** Releases a sender's invokes: its deployment is in the mempool. */
  arrived(sender: Felt): void {
    while (this.#waiting.has(sender)) this.#endFirst(sender);
  }

  /** Discards all waiting invokes, unanswered. */
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

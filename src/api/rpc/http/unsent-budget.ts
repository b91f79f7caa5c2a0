import type { Client } from "../limits/fair-queue.ts";
import type { HeldBytes } from "../limits/held-bytes.ts";

/** Bytes of answers that wait for the clients of a server to take them, all together. */
export const UNSENT_BUDGET_BYTES: number = 160 << 20;

/** A client that takes less, on average since it began to lag, is slow. */
export const SLOW_BYTES_PER_SECOND: number = 16_384;

/** A lag that is no shorter says how fast a client reads. */
const GRACE_MS = 1_000;

/** What waits for one client. */
export interface UnsentShare {
  /** So many bytes more wait, or fewer. */
  change(bytes: number): void;
  /** Whether the client has been taking too little for at least `graceMs`. */
  isSlow(nowMs: number, graceMs: number): boolean;
  /** Nothing waits any more. */
  release(): void;
}

interface Share {
  readonly client: Client;
  readonly drop: () => void;
  bytes: number;
  takenBytes: number;
  /** When something began to wait. */
  sinceMs: number;
}

/**
 * Limits what waits for clients that do not read. Above the limit, of the addresses for which most
 * waits the client that reads most slowly is dropped, however many others there are. While the whole process
 * is short of bytes, those are dropped that are slow.
 */
export class UnsentBudget {
  readonly #maxBytes: number;
  readonly #held: HeldBytes;
  readonly #shares = new Set<Share>();
  #bytes = 0;

  /** @param held - counts what waits with everything else that clients make the process hold */
  constructor(maxBytes: number, held: HeldBytes) {
    this.#maxBytes = maxBytes;
    this.#held = held;
    held.onShort(() => this.#relieve());
  }

  /** Bytes that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param drop - called when what waits for this client is to be forgotten; `release` is to follow */
  share(client: Client, drop: () => void): UnsentShare {
    const share: Share = { client, drop, bytes: 0, takenBytes: 0, sinceMs: 0 };
    return {
      change: (bytes) => this.#change(share, bytes),
      isSlow: (nowMs, graceMs) =>
        share.bytes > 0 && nowMs - share.sinceMs > graceMs && isSlow(share, nowMs),
      release: () => this.#change(share, -share.bytes),
    };
  }

  #change(share: Share, change: number): void {
    if (change === 0) return;
    if (share.bytes === 0) {
      share.sinceMs = performance.now();
      share.takenBytes = 0;
      this.#shares.add(share);
    }
    share.bytes += change;
    this.#bytes += change;
    this.#held.change(share.client, change);
    if (change < 0) share.takenBytes -= change;
    if (share.bytes === 0) this.#shares.delete(share);
    if (change > 0) this.#dropSlow();
  }

  #dropSlow(): void {
    const nowMs = performance.now();
    while (this.#bytes > this.#maxBytes) {
      const [worst] = this.#worstFirst(nowMs);
      if (worst === undefined || !this.#drop(worst)) return;
    }
  }

  #relieve(): void {
    const nowMs = performance.now();
    const bytesOf = ({ client }: Share): number => this.#held.bytesOf(client.address);
    const slow = [...this.#shares]
      .filter((share) => isSlow(share, nowMs))
      .sort((a, b) => bytesOf(b) - bytesOf(a) || slowestFirst(a, b, nowMs));
    for (const share of slow) {
      if (!this.#held.isShort) return;
      this.#drop(share);
    }
  }

  /** @returns whether that has freed anything */
  #drop(share: Share): boolean {
    const before = this.#bytes;
    share.drop();
    return this.#bytes < before;
  }

  #worstFirst(nowMs: number): Share[] {
    const byAddress = new Map<string, number>();
    for (const { client, bytes } of this.#shares) {
      byAddress.set(client.address, (byAddress.get(client.address) ?? 0) + bytes);
    }
    const most = Math.max(...byAddress.values());
    return [...this.#shares]
      .filter(({ client }) => byAddress.get(client.address) === most)
      .sort((a, b) => slowestFirst(a, b, nowMs));
  }
}

function slowestFirst(a: Share, b: Share, nowMs: number): number {
  return speedOf(a, nowMs) - speedOf(b, nowMs) || b.bytes - a.bytes;
}

function isSlow(share: Share, nowMs: number): boolean {
  return speedOf(share, nowMs) < SLOW_BYTES_PER_SECOND;
}

/** Bytes per second; of whom only began to lag, as fast as any. */
function speedOf({ takenBytes, sinceMs }: Share, nowMs: number): number {
  const lagMs = nowMs - sinceMs;
  return lagMs < GRACE_MS ? Infinity : (takenBytes * 1_000) / lagMs;
}

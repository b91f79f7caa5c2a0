import type { Client } from "../limits/fair-queue.ts";
import type { HeldBytes } from "../limits/held-bytes.ts";

/** Default limit of {@link UnsentBudget}: unread response bytes of all clients of a server. */
export const UNSENT_BUDGET_BYTES: number = 160 << 20;

/** Rate at which a client reads, averaged since it began to lag, below which it counts as slow. */
export const SLOW_BYTES_PER_SECOND: number = 16_384;

/** Minimum length of a lag before the client's speed is judged. */
const GRACE_MS = 1_000;

/** Unread output of one client. */
export interface UnsentShare {
  /** Adds to the number of unread bytes; negative to subtract. */
  change(bytes: number): void;
  /** Whether the client has been too slow for at least `graceMs`. */
  isSlow(nowMs: number, graceMs: number): boolean;
  /** The unread bytes were sent or discarded. */
  release(): void;
}

interface Share {
  readonly client: Client;
  readonly drop: () => void;
  bytes: number;
  takenBytes: number;
  /** Start of the current lag. */
  sinceMs: number;
}

/**
 * Bounds the output that waits for clients that do not read. Above the limit, the slowest client is dropped,
 * chosen from the addresses with the most unread bytes. While the whole process is short of memory, all slow
 * clients are candidates.
 */
export class UnsentBudget {
  readonly #maxBytes: number;
  readonly #held: HeldBytes;
  readonly #shares = new Set<Share>();
  #bytes = 0;

  /** @param held - counts unread bytes together with all other memory that clients make the process hold */
  constructor(maxBytes: number, held: HeldBytes) {
    this.#maxBytes = maxBytes;
    this.#held = held;
    held.onShort(() => this.#relieve());
  }

  /** Unread bytes of all clients. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param drop - called to discard the client's output; it must call `release` */
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

  /** @returns whether that freed any bytes */
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

/** Bytes per second; `Infinity` while the lag is shorter than the grace period. */
function speedOf({ takenBytes, sinceMs }: Share, nowMs: number): number {
  const lagMs = nowMs - sinceMs;
  return lagMs < GRACE_MS ? Infinity : (takenBytes * 1_000) / lagMs;
}

import type { Timer } from "#base/primitives/index.ts";
import { type Client, FairQueue } from "../../limits/fair-queue.ts";

/**
 * Default limit of {@link ReadAhead}: received bytes of all WebSocket connections that wait for a
 * turn.
 */
export const READ_AHEAD_BYTES: number = 32 << 20;

/** Maximum bytes that the runtime usually reads from a socket in one turn of the event loop. */
const CHUNK_BYTES = 524_288;

/** Pause between two grants while the limit is reached. */
const TRICKLE_MS = 20;

/** Connection that has read all its bytes and whose socket is paused, waiting to receive more. */
export interface Reader {
  /** The connection may read from its socket again; must not throw. */
  granted(): void;
}

/** Dependencies of {@link ReadAhead}. */
export interface ReadAheadDeps {
  readonly maxBytes: number;
  /** Calls back after everything that has arrived was received. */
  readonly later: (turn: () => void) => void;
  readonly timer: Pick<Timer, "after">;
}

/**
 * Bounds the bytes that all WebSocket connections have received and not read yet. Bytes beyond the limit stay
 * in the clients' send buffers: a thousand clients that flood would otherwise fill memory with chunks that
 * wait for a turn.
 *
 * Connections with few unread bytes are always received. While the limit is reached, the others pause, and
 * continue in a fair order, each after it has read what it had. The kernel decides how much a socket then
 * delivers, so the total exceeds the limit by a few chunks. Unread bytes of clients that do not read their
 * responses may stay for long: one connection continues from time to time however many bytes there are.
 */
export class ReadAhead {
  readonly #deps: ReadAheadDeps;
  readonly #waiting = new FairQueue<Reader>(() => 1);
  #bytes = 0;
  #isSoon = false;
  #isTrickling = false;

  constructor(deps: ReadAheadDeps) {
    this.#deps = deps;
  }

  /** Received and unread bytes of all connections. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether connections with more than few unread bytes must pause. */
  get isFull(): boolean {
    return this.#bytes >= this.#deps.maxBytes;
  }

  /** Whether a connection that has read all its bytes may continue without waiting. */
  get isOpen(): boolean {
    return !this.isFull && this.#waiting.size === 0;
  }

  /** Adds to the number of unread bytes; negative to subtract. */
  change(bytes: number): void {
    this.#bytes += bytes;
    if (bytes < 0) this.#schedule();
  }

  /** Enqueues a paused connection; it is granted once. */
  wait(client: Client, reader: Reader): void {
    this.#waiting.push(client, reader);
    this.#schedule();
  }

  /** Drops a waiting connection. */
  drop(client: Client, reader: Reader): void {
    this.#waiting.remove(client, reader);
  }

  #schedule(): void {
    if (this.#waiting.size === 0) return;
    if (this.isFull) this.#trickle();
    else if (!this.#isSoon) {
      this.#isSoon = true;
      this.#deps.later(() => {
        this.#isSoon = false;
        this.#grant(Math.floor((this.#deps.maxBytes - this.#bytes) / CHUNK_BYTES));
      });
    }
  }

  #trickle(): void {
    if (this.#isTrickling) return;
    this.#isTrickling = true;
    this.#deps.timer.after(TRICKLE_MS, () => {
      this.#isTrickling = false;
      this.#grant(1);
    });
  }

  /** Grants some connections; their bytes arrive before the next grants. */
  #grant(count: number): void {
    for (let left = Math.max(1, count); left > 0; left--) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#waiting.charge(next.client, 1);
      next.item.granted();
    }
    this.#schedule();
  }
}

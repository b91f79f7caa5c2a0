import type { Client } from "./fair-queue.ts";
import type { HeldBytes } from "./held-bytes.ts";

/**
 * Counter of the bytes of one kind that are held for a client; set as a total, it updates the
 * process's count.
 */
export class HeldAmount {
  readonly #held: HeldBytes;
  readonly #client: Client;
  #bytes = 0;

  constructor(held: HeldBytes, client: Client) {
    this.#held = held;
    this.#client = client;
  }

  /** Sets the current number of bytes. */
  set(bytes: number): void {
    if (bytes === this.#bytes) return;
    this.#held.change(this.#client, bytes - this.#bytes);
    this.#bytes = bytes;
  }
}

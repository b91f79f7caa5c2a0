import type { Client } from "./fair-queue.ts";
import type { HeldBytes } from "./held-bytes.ts";

/** Bytes of one kind that are held for a client, as an amount that is set again and again. */
export class HeldAmount {
  readonly #held: HeldBytes;
  readonly #client: Client;
  #bytes = 0;

  constructor(held: HeldBytes, client: Client) {
    this.#held = held;
    this.#client = client;
  }

  /** It is so many bytes now. */
  set(bytes: number): void {
    if (bytes === this.#bytes) return;
    this.#held.change(this.#client, bytes - this.#bytes);
    this.#bytes = bytes;
  }
}

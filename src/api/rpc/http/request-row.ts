import type { Caller } from "../limits/caller.ts";
import { HeldAmount } from "../limits/held-amount.ts";
import type { HeldBytes } from "../limits/held-bytes.ts";
import type { IncomingRequest } from "./incoming.ts";

const MAX_BODY_BYTES = 65_536;

/** Maximum memory of the heads of queued requests. */
const MAX_HEAD_BYTES = 131_072;

/** Queued requests of a connection, in order, behind the request being answered. */
export class RequestRow {
  readonly #requests: IncomingRequest[] = [];
  readonly #held: HeldBytes;
  readonly #caller: Caller;
  readonly #amount: HeldAmount;

  /** @param held - counts the bytes of requests of `caller` that are not being answered yet */
  constructor(held: HeldBytes, caller: Caller) {
    this.#held = held;
    this.#caller = caller;
    this.#amount = new HeldAmount(held, caller);
  }

  get length(): number {
    return this.#requests.length;
  }

  get last(): IncomingRequest | undefined {
    return this.#requests.at(-1);
  }

  /** Whether the queue holds so much, or the process has so little room, that reading must pause. */
  get isFull(): boolean {
    if (this.length > 0 && !this.#held.hasRoom(this.#caller)) return true;
    const { bodyBytes, headBytes } = this.#sizes;
    return bodyBytes > MAX_BODY_BYTES || headBytes > MAX_HEAD_BYTES;
  }

  /** Counts the memory of the queue, plus received bytes that are not parsed. */
  count(unreadBytes: number): void {
    const { bodyBytes, headBytes } = this.#sizes;
    this.#amount.set(unreadBytes + bodyBytes + headBytes);
  }

  get #sizes(): { readonly bodyBytes: number; readonly headBytes: number } {
    let bodyBytes = 0;
    let headBytes = 0;
    for (const request of this.#requests) {
      bodyBytes += request.keptBytes;
      headBytes += request.headBytes;
    }
    return { bodyBytes, headBytes };
  }

  has(request: IncomingRequest): boolean {
    return this.#requests.includes(request);
  }

  push(request: IncomingRequest): void {
    this.#requests.push(request);
  }

  shift(): IncomingRequest | undefined {
    return this.#requests.shift();
  }

  /** Discards all requests without an answer. */
  clear(): void {
    for (const request of this.#requests.splice(0)) request.discard();
    this.#amount.set(0);
  }
}

import type { Caller } from "../limits/caller.ts";
import { HeldAmount } from "../limits/held-amount.ts";
import type { HeldBytes } from "../limits/held-bytes.ts";
import type { IncomingRequest } from "./incoming.ts";

/** Most bytes of bodies that wait for their turn. */
const MAX_BODY_BYTES = 65_536;

/** The same of heads, as they are kept. */
const MAX_HEAD_BYTES = 131_072;

/** The requests of a connection that wait behind the one that is answered, in their order. */
export class RequestRow {
  readonly #requests: IncomingRequest[] = [];
  readonly #held: HeldBytes;
  readonly #caller: Caller;
  readonly #amount: HeldAmount;

  /** @param held - counts the bytes that the connection of `caller` has not started to answer */
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

  /** Whether they keep so much, or the process has so little room, that the next ones are better left to the client. */
  get isFull(): boolean {
    if (this.length > 0 && !this.#held.hasRoom(this.#caller)) return true;
    const { bodyBytes, headBytes } = this.#sizes;
    return bodyBytes > MAX_BODY_BYTES || headBytes > MAX_HEAD_BYTES;
  }

  /** Counts what they keep, and bytes that have arrived and were not looked at. */
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

  /** Takes the first one out. */
  shift(): IncomingRequest | undefined {
    return this.#requests.shift();
  }

  /** Nobody answers them any more. */
  clear(): void {
    for (const request of this.#requests.splice(0)) request.discard();
    this.#amount.set(0);
  }
}

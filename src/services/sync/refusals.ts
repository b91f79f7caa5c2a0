import type { PreConfirmedDropped, SyncRefused } from "./messages.ts";
import type { SyncRefusal } from "./ports.ts";

/** Pause before gateways are retried after a first refusal; doubles with each further one. */
export const FIRST_RETRY_MS = 1_000;

/** Maximum pause before gateways are retried after repeated refusals. */
export const LONGEST_RETRY_MS = 10_000;

/** Part of the chain that can be refused: accepted blocks, or the blocks above them. */
export type RefusedPart = "accepted" | "preConfirmed";

/**
 * Current refusals, and the delay until the next attempt. Refusals of accepted blocks are reported once per
 * change. Refusals of pre-confirmed blocks are reported each time: the block is dropped, and the node serves
 * accepted ones.
 */
export class Refusals {
  readonly #send: (message: SyncRefused | PreConfirmedDropped) => void;
  readonly #retryMs = new Map<RefusedPart, number>();
  #reported: SyncRefusal | null = null;

  constructor(tell: (message: SyncRefused | PreConfirmedDropped) => void) {
    this.#send = tell;
  }

  isRefusing(part: RefusedPart): boolean {
    return this.#retryMs.has(part);
  }

  /** Records a refusal. @returns milliseconds until the next attempt, increasing with consecutive refusals */
  add(part: RefusedPart, refusal: SyncRefusal): number {
    const before = this.#retryMs.get(part);
    const retryMs = before === undefined ? FIRST_RETRY_MS : Math.min(LONGEST_RETRY_MS, 2 * before);
    this.#retryMs.set(part, retryMs);
    if (part === "accepted") this.#report(refusal);
    else this.#send({ kind: "preConfirmedDropped", refusal });
    return retryMs;
  }

  /** Records that the refused part has arrived in valid form. */
  clear(part: RefusedPart): void {
    if (this.#retryMs.delete(part) && part === "accepted") this.#report(null);
  }

  #report(refusal: SyncRefusal | null): void {
    if (isSame(this.#reported, refusal)) return;
    this.#reported = refusal;
    this.#send({ kind: "refused", refusal });
  }
}

function isSame(a: SyncRefusal | null, b: SyncRefusal | null): boolean {
  return a?.check === b?.check && a?.blockNumber === b?.blockNumber && a?.message === b?.message;
}

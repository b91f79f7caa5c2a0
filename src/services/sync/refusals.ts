import type { PreConfirmedDropped, SyncRefused } from "./messages.ts";
import type { SyncRefusal } from "./ports.ts";

/** Pause before gateways are asked again after a first refusal; it doubles with each one after it. */
export const FIRST_RETRY_MS = 1_000;

/** The longest such pause. */
export const LONGEST_RETRY_MS = 10_000;

/** Of what something can be refused: accepted blocks, or what is above them. */
export type RefusedPart = "accepted" | "preConfirmed";

/**
 * Current refusals, and how long the next attempt has to wait. A refusal of accepted blocks is told once per
 * change. One above them is told each time: that block is dropped, and the node serves accepted ones.
 */
export class Refusals {
  readonly #tell: (message: SyncRefused | PreConfirmedDropped) => void;
  readonly #retryMs = new Map<RefusedPart, number>();
  #told: SyncRefusal | null = null;

  constructor(tell: (message: SyncRefused | PreConfirmedDropped) => void) {
    this.#tell = tell;
  }

  /** Whether something is refused. */
  isRefusing(part: RefusedPart): boolean {
    return this.#retryMs.has(part);
  }

  /** Something is refused. @returns milliseconds until the next attempt: more, the longer it lasts */
  add(part: RefusedPart, refusal: SyncRefusal): number {
    const before = this.#retryMs.get(part);
    const retryMs = before === undefined ? FIRST_RETRY_MS : Math.min(LONGEST_RETRY_MS, 2 * before);
    this.#retryMs.set(part, retryMs);
    if (part === "accepted") this.#report(refusal);
    else this.#tell({ kind: "preConfirmedDropped", refusal });
    return retryMs;
  }

  /** What was refused has come in order. */
  clear(part: RefusedPart): void {
    if (this.#retryMs.delete(part) && part === "accepted") this.#report(null);
  }

  #report(refusal: SyncRefusal | null): void {
    if (isSame(this.#told, refusal)) return;
    this.#told = refusal;
    this.#tell({ kind: "refused", refusal });
  }
}

function isSame(a: SyncRefusal | null, b: SyncRefusal | null): boolean {
  return a?.check === b?.check && a?.blockNumber === b?.blockNumber && a?.message === b?.message;
}

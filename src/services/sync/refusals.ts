import type { SyncRefused } from "./messages.ts";
import type { SyncRefusal } from "./ports.ts";

/** Pause before gateways are asked again after a first refusal; it doubles with each one after it. */
export const FIRST_RETRY_MS = 1_000;

/** The longest such pause. */
export const LONGEST_RETRY_MS = 10_000;

/** Of what something can be refused: accepted blocks, or what is above them. */
export type RefusedPart = "accepted" | "preConfirmed";

/** What is refused now, told once per change, and how long the next attempt is to wait. */
export class Refusals {
  readonly #tell: (message: SyncRefused) => void;
  readonly #parts = new Map<RefusedPart, { refusal: SyncRefusal; retryMs: number }>();
  #told: SyncRefusal | null = null;

  constructor(tell: (message: SyncRefused) => void) {
    this.#tell = tell;
  }

  /** Whether something is refused. */
  isRefusing(part: RefusedPart): boolean {
    return this.#parts.has(part);
  }

  /** Something is refused. @returns milliseconds until the next attempt: more, the longer it lasts */
  add(part: RefusedPart, refusal: SyncRefusal): number {
    const before = this.#parts.get(part);
    const retryMs =
      before === undefined ? FIRST_RETRY_MS : Math.min(LONGEST_RETRY_MS, 2 * before.retryMs);
    this.#parts.set(part, { refusal, retryMs });
    this.#report();
    return retryMs;
  }

  /** What was refused has come in order. */
  clear(part: RefusedPart): void {
    if (this.#parts.delete(part)) this.#report();
  }

  /** Accepted blocks come first: what is above them is of no use without them. */
  #report(): void {
    const current = this.#parts.get("accepted") ?? this.#parts.get("preConfirmed");
    const refusal = current?.refusal ?? null;
    if (isSame(this.#told, refusal)) return;
    this.#told = refusal;
    this.#tell({ kind: "refused", refusal });
  }
}

function isSame(a: SyncRefusal | null, b: SyncRefusal | null): boolean {
  return a?.check === b?.check && a?.blockNumber === b?.blockNumber && a?.message === b?.message;
}

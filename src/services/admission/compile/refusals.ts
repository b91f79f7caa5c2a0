import { type Felt, RecentMap } from "#base/primitives/index.ts";

/** Why a class is not compiled; the codes are names of JSON-RPC errors. */
export interface Refusal {
  readonly kind: "refused";
  readonly code: "COMPILATION_FAILED" | "CONTRACT_CLASS_SIZE_IS_TOO_LARGE";
  readonly reason: string;
}

interface Remembered {
  readonly refusal: Refusal;
  readonly untilMs: number;
}

/** Maximum number of refusals kept. */
const CAPACITY = 4096;

/**
 * Remembers why classes were refused by the compiler, by class hash; evicts the least recently
 * requested first.
 */
export class Refusals {
  readonly #nowMs: () => number;
  readonly #byHash = new RecentMap<Felt, Remembered>(CAPACITY);

  /** @param nowMs - a monotonic clock, in milliseconds */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The refusal of a class; `undefined` when none or it has expired. */
  get(classHash: Felt): Refusal | undefined {
    const found = this.#byHash.touch(classHash);
    if (found === undefined) return undefined;
    if (this.#nowMs() < found.untilMs) return found.refusal;
    this.#byHash.delete(classHash);
    return undefined;
  }

  /** @param forMs - lifetime of the refusal; `Infinity` for a permanent one */
  add(classHash: Felt, refusal: Refusal, forMs: number): void {
    this.#byHash.set(classHash, { refusal, untilMs: this.#nowMs() + forMs });
  }
}

import { type Felt, RecentMap } from "#base/primitives/index.ts";

/** Why a class is not compiled; both are names of JSON-RPC errors. */
export interface Refusal {
  readonly kind: "refused";
  readonly code: "COMPILATION_FAILED" | "CONTRACT_CLASS_SIZE_IS_TOO_LARGE";
  readonly reason: string;
}

interface Remembered {
  readonly refusal: Refusal;
  readonly untilMs: number;
}

/** Refusals that are remembered. */
const CAPACITY = 4096;

/** Refused classes by class hash; the one not asked for longest is forgotten first. */
export class Refusals {
  readonly #nowMs: () => number;
  readonly #byHash = new RecentMap<Felt, Remembered>(CAPACITY);

  /** @param nowMs - a clock that never goes back, in milliseconds */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The refusal of a class, unless there is none or its time is over. */
  get(classHash: Felt): Refusal | undefined {
    const found = this.#byHash.touch(classHash);
    if (found === undefined) return undefined;
    if (this.#nowMs() < found.untilMs) return found.refusal;
    this.#byHash.delete(classHash);
    return undefined;
  }

  /** @param forMs - how long it is remembered; `Infinity` for what will not change */
  add(classHash: Felt, refusal: Refusal, forMs: number): void {
    this.#byHash.set(classHash, { refusal, untilMs: this.#nowMs() + forMs });
  }
}

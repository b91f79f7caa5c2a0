import { type Felt, RecentMap } from "#base/primitives/index.ts";

/** A pause of an account or a transaction. */
export interface Pause {
  /** Number of drops that count towards the length. */
  readonly drops: number;
  /** Unix milliseconds. */
  readonly endsAtMs: number;
}

/** Maximum length of a pause, however often it has doubled. */
export const MAX_PAUSE_MS = 3_600_000;

/** How long after its end a pause still counts towards the length of the next one. */
export const PAUSE_MEMORY_MS = 1_800_000;

/** Maximum pauses kept; evicts the one that began longest ago. */
export const MAX_PAUSES = 10_000;

/**
 * Pauses during which admission refuses an account (by address) or a transaction (by hash). A key's pause
 * doubles with each drop, up to {@link MAX_PAUSE_MS}.
 */
export class Pauses {
  readonly #firstMs: number;
  /** Ordered by start, oldest first. */
  readonly #records = new RecentMap<Felt, Pause>(MAX_PAUSES);

  /** @param firstMs - the length of a first pause */
  constructor(firstMs: number) {
    this.#firstMs = firstMs;
  }

  /** Starts a pause. @param nowMs - Unix milliseconds */
  begin(key: Felt, nowMs: number): Pause {
    const last = this.#records.get(key);
    const isRemembered = last !== undefined && nowMs < last.endsAtMs + PAUSE_MEMORY_MS;
    const drops = (isRemembered ? last.drops : 0) + 1;
    const pause = { drops, endsAtMs: nowMs + this.#lengthMs(drops) };
    this.set(key, pause);
    return pause;
  }

  /** Restores a pause that began earlier. */
  set(key: Felt, pause: Pause): void {
    this.#records.set(key, pause);
  }

  /** Remaining time of a pause, or 0. Setting the clock back does not lengthen a pause. */
  leftMs(key: Felt, nowMs: number): number {
    const pause = this.#records.get(key);
    if (pause === undefined) return 0;
    return Math.max(0, Math.min(pause.endsAtMs - nowMs, this.#lengthMs(pause.drops)));
  }

  /** Whether a pause is recorded, over or not. */
  has(key: Felt): boolean {
    return this.#records.has(key);
  }

  #lengthMs(drops: number): number {
    return Math.min(MAX_PAUSE_MS, this.#firstMs * 2 ** (drops - 1));
  }
}

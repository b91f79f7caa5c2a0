import { type Felt, RecentMap } from "#base/primitives/index.ts";

/** What somebody has to wait, and why. */
export interface Pause {
  /** How often it came to it. */
  readonly drops: number;
  /** Unix milliseconds. */
  readonly endsAtMs: number;
}

/** Longest pause. */
export const MAX_PAUSE_MS = 3_600_000;

/** How long after its end a pause counts for the next one's length. */
export const PAUSE_MEMORY_MS = 1_800_000;

/** Pauses that are remembered; the one that began longest ago is forgotten first. */
export const MAX_PAUSES = 10_000;

/** Pauses that double each time, by whom or what they are of. */
export class Pauses {
  readonly #firstMs: number;
  /** The one that began longest ago first. */
  readonly #records = new RecentMap<Felt, Pause>(MAX_PAUSES);

  /** @param firstMs - the length of a first pause */
  constructor(firstMs: number) {
    this.#firstMs = firstMs;
  }

  /** Begins a pause. @param nowMs - Unix milliseconds */
  begin(key: Felt, nowMs: number): Pause {
    const last = this.#records.get(key);
    const isRemembered = last !== undefined && nowMs < last.endsAtMs + PAUSE_MEMORY_MS;
    const drops = (isRemembered ? last.drops : 0) + 1;
    const pause = { drops, endsAtMs: nowMs + this.#lengthMs(drops) };
    this.set(key, pause);
    return pause;
  }

  /** Takes over a pause that began earlier. */
  set(key: Felt, pause: Pause): void {
    this.#records.set(key, pause);
  }

  /** What is left of a pause; 0 when there is none. A clock that is set back lengthens none. */
  leftMs(key: Felt, nowMs: number): number {
    const pause = this.#records.get(key);
    if (pause === undefined) return 0;
    return Math.max(0, Math.min(pause.endsAtMs - nowMs, this.#lengthMs(pause.drops)));
  }

  /** Whether a pause is remembered, over or not. */
  has(key: Felt): boolean {
    return this.#records.has(key);
  }

  #lengthMs(drops: number): number {
    return Math.min(MAX_PAUSE_MS, this.#firstMs * 2 ** (drops - 1));
  }
}

import { RecentMap } from "#base/primitives/index.ts";
import type { Outcome } from "./outcome.ts";

/** Default cache size of a node: some hundred responses about full blocks. */
export const RESPONSE_CACHE_BYTES: number = 32 << 20;

/** Maximum fraction of the cache for one response: a larger one would evict too many others. */
const LARGEST_PART = 1 / 4;

/** Approximate overhead of an entry. */
const ENTRY_BYTES = 200;

/** Ticket for storing a response in the cache. */
export interface CacheTicket {
  readonly key: string;
  /** Number of times the cache had been cleared when the response was started. */
  readonly clearings: number;
}

/**
 * Cache of encoded responses that never change; keys cover everything that a response depends on. Evicts the
 * least recently used.
 */
export class ResponseCache {
  /** Approximate maximum bytes of all entries together. */
  readonly maxBytes: number;
  readonly #answers: RecentMap<string, Outcome>;
  #clearings = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
    this.#answers = new RecentMap(maxBytes, sizeOf);
  }

  /** Approximate bytes in use. */
  get sizeBytes(): number {
    return this.#answers.weight;
  }

  get(key: string): Outcome | undefined {
    return this.#answers.touch(key);
  }

  /** Issues a ticket; must be called before the response for {@link put} is created. */
  ticket(key: string): CacheTicket {
    return { key, clearings: this.#clearings };
  }

  /** Caches a response, unless it is too large or was started before the cache was cleared. */
  put({ key, clearings }: CacheTicket, answer: Outcome): void {
    const isTooLarge = sizeOf(answer, key) > this.maxBytes * LARGEST_PART;
    if (clearings === this.#clearings && !isTooLarge) this.#answers.set(key, answer);
  }

  /** Evicts everything, including responses in progress: blocks were reverted. */
  clear(): void {
    this.#answers.clear();
    this.#clearings++;
  }
}

/** A character of a string takes up to two bytes. */
function sizeOf(answer: Outcome, key: string): number {
  const size = typeof answer === "string" ? answer.length * 2 : answer.byteLength;
  return size + key.length * 2 + ENTRY_BYTES;
}

import { RecentMap } from "#base/primitives/index.ts";
import type { Outcome } from "./outcome.ts";

/** What a node gives to its cache: some hundred answers about full blocks. */
export const RESPONSE_CACHE_BYTES: number = 32 << 20;

/** A larger answer would drive out too many others. */
const LARGEST_PART = 1 / 4;

/** What an entry takes besides its texts, about. */
const ENTRY_BYTES = 200;

/** What an answer is put away with. */
export interface CacheTicket {
  readonly key: string;
  /** How often the cache had been cleared when the answer was begun. */
  readonly clearings: number;
}

/**
 * Encoded answers that never change, by keys that name everything they depend on. Answers that were
 * used longest ago go first.
 */
export class ResponseCache {
  /** Most bytes of all entries together, about. */
  readonly maxBytes: number;
  readonly #answers: RecentMap<string, Outcome>;
  #clearings = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
    this.#answers = new RecentMap(maxBytes, sizeOf);
  }

  /** About how many bytes are kept. */
  get sizeBytes(): number {
    return this.#answers.weight;
  }

  /** The answer that is kept under a key. */
  get(key: string): Outcome | undefined {
    return this.#answers.touch(key);
  }

  /** To be taken before an answer is made that {@link put} is to keep. */
  ticket(key: string): CacheTicket {
    return { key, clearings: this.#clearings };
  }

  /** Keeps an answer, unless it is too large or was begun before the cache was cleared. */
  put({ key, clearings }: CacheTicket, answer: Outcome): void {
    const isTooLarge = sizeOf(answer, key) > this.maxBytes * LARGEST_PART;
    if (clearings === this.#clearings && !isTooLarge) this.#answers.set(key, answer);
  }

  /** Forgets everything, also what is under way: blocks were reverted. */
  clear(): void {
    this.#answers.clear();
    this.#clearings++;
  }
}

/** A character of a text takes up to two bytes. */
function sizeOf(answer: Outcome, key: string): number {
  const size = typeof answer === "string" ? answer.length * 2 : answer.byteLength;
  return size + key.length * 2 + ENTRY_BYTES;
}

import type { Outcome } from "./outcome.ts";

/** Default of {@link AnswerMemo.maxBytes}: some hundred answers about full blocks. */
export const ANSWER_MEMO_BYTES: number = 32 << 20;

/** A larger answer would drive out too many others. */
const LARGEST_PART = 1 / 4;

/** What an entry takes besides its texts, about. */
const ENTRY_BYTES = 200;

/** What an answer is put away with. */
export interface MemoTicket {
  readonly key: string;
  /** How often the memo had been cleared when the answer was begun. */
  readonly clearings: number;
}

/**
 * Encoded answers that never change, by keys that name everything they depend on. Answers that were
 * used longest ago go first.
 */
export class AnswerMemo {
  /** Most bytes of all entries together, about. */
  readonly maxBytes: number;
  readonly #answers = new Map<string, Outcome>();
  #sizeBytes = 0;
  #clearings = 0;

  constructor(maxBytes: number = ANSWER_MEMO_BYTES) {
    this.maxBytes = maxBytes;
  }

  /** About how many bytes are kept. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** The answer that is kept under a key. */
  get(key: string): Outcome | undefined {
    const answer = this.#answers.get(key);
    if (answer === undefined) return undefined;
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    return answer;
  }

  /** To be taken before an answer is made that {@link put} is to keep. */
  ticket(key: string): MemoTicket {
    return { key, clearings: this.#clearings };
  }

  /** Keeps an answer, unless it is too large or was begun before the memo was cleared. */
  put({ key, clearings }: MemoTicket, answer: Outcome): void {
    const size = sizeOf(key, answer);
    if (clearings !== this.#clearings || size > this.maxBytes * LARGEST_PART) return;
    this.#drop(key);
    this.#answers.set(key, answer);
    this.#sizeBytes += size;
    for (const oldest of this.#answers.keys()) {
      if (this.#sizeBytes <= this.maxBytes) break;
      this.#drop(oldest);
    }
  }

  /** Forgets everything, also what is under way: blocks were taken back. */
  clear(): void {
    this.#answers.clear();
    this.#sizeBytes = 0;
    this.#clearings++;
  }

  #drop(key: string): void {
    const answer = this.#answers.get(key);
    if (answer === undefined) return;
    this.#answers.delete(key);
    this.#sizeBytes -= sizeOf(key, answer);
  }
}

/** A character of a text takes up to two bytes. */
function sizeOf(key: string, answer: Outcome): number {
  const size = typeof answer === "string" ? answer.length * 2 : answer.byteLength;
  return size + key.length * 2 + ENTRY_BYTES;
}

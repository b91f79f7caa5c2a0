import { CompileError } from "../compile-error.ts";

/** Reads a program from its words. */
export class WordReader {
  readonly #words: readonly bigint[];
  #at = 0;

  constructor(words: readonly bigint[]) {
    this.#words = words;
  }

  get left(): number {
    return this.#words.length - this.#at;
  }

  /** Reads the next word. @throws {CompileError} SIERRA_DECODE at the end */
  next(): bigint {
    const word = this.#words[this.#at];
    if (word === undefined) return this.refuse("another word");
    this.#at++;
    return word;
  }

  /** Reads a safe integer. @throws {CompileError} SIERRA_DECODE when it is larger */
  number(): number {
    const value = Number(this.next());
    return Number.isSafeInteger(value) ? value : this.refuse("a small number");
  }

  /** Reads the number of following items; each takes at least one word. */
  count(): number {
    const value = this.number();
    return value <= this.left ? value : this.refuse("a length that fits");
  }

  /** Reads a list that is prefixed with its length. */
  list<T>(read: () => T): T[] {
    return Array.from({ length: this.count() }, read);
  }

  /** @throws {CompileError} SIERRA_DECODE always */
  refuse(expected: string): never {
    throw new CompileError(
      "SIERRA_DECODE",
      `the Sierra program is damaged at word ${this.#at}: expected ${expected}`,
      { word: this.#at },
    );
  }
}

import { CompileError } from "../compile-error.ts";

/** Reads a program from its words. */
export class WordReader {
  readonly #words: readonly bigint[];
  #at = 0;

  constructor(words: readonly bigint[]) {
    this.#words = words;
  }

  /** Words that were not read yet. */
  get left(): number {
    return this.#words.length - this.#at;
  }

  /** The next word. @throws {CompileError} SIERRA_DECODE when there is none */
  next(): bigint {
    const word = this.#words[this.#at];
    if (word === undefined) return this.refuse("another word");
    this.#at++;
    return word;
  }

  /** A number that is exact. @throws {CompileError} SIERRA_DECODE when it is larger */
  number(): number {
    const value = Number(this.next());
    return Number.isSafeInteger(value) ? value : this.refuse("a small number");
  }

  /** A number of things that follow; each takes a word at least. */
  count(): number {
    const value = this.number();
    return value <= this.left ? value : this.refuse("a length that fits");
  }

  /** Things behind their number. */
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

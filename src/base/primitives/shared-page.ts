/** Index of the word that counts changes; user words follow it. */
const WRITES = 0;

/**
 * Index in {@link SharedPage.words} of the first word that holds the page's content; word 0 counts
 * changes.
 */
export const FIRST_WORD = 1;

/**
 * Page of 64-bit words shared between threads, with one writer. Readers never see a partial change: the first
 * word counts starts and ends of changes, and is odd during one.
 */
export class SharedPage {
  readonly words: BigInt64Array;

  constructor(page: SharedArrayBuffer) {
    this.words = new BigInt64Array(page);
  }

  /** Returns the result of `take` on a consistent page; `take` may run several times. */
  read<T>(take: (words: BigInt64Array) => T): T {
    for (;;) {
      const before = Atomics.load(this.words, WRITES);
      const result = take(this.words);
      // A change takes microseconds, so a retry soon succeeds.
      if (before % 2n === 0n && Atomics.load(this.words, WRITES) === before) return result;
    }
  }

  /** Changes the page atomically for readers. */
  write(change: (words: BigInt64Array) => void): void {
    Atomics.add(this.words, WRITES, 1n);
    change(this.words);
    Atomics.add(this.words, WRITES, 1n);
  }
}

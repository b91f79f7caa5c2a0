/** Word of a page that counts its changes; those that it holds begin behind it. */
const WRITES = 0;

/** The first word of a {@link SharedPage} that is its user's. */
export const FIRST_WORD = 1;

/**
 * A page of 64-bit words that threads share. One thread writes; the others never see half of a change:
 * the first word counts begun and ended changes, and is odd while one is under way.
 */
export class SharedPage {
  readonly words: BigInt64Array;

  constructor(page: SharedArrayBuffer) {
    this.words = new BigInt64Array(page);
  }

  /** What `take` finds in a page that nobody has changed meanwhile; `take` may run several times. */
  read<T>(take: (words: BigInt64Array) => T): T {
    for (;;) {
      const before = Atomics.load(this.words, WRITES);
      const taken = take(this.words);
      // A change takes some microseconds: what was begun is over at one of the next looks.
      if (before % 2n === 0n && Atomics.load(this.words, WRITES) === before) return taken;
    }
  }

  /** Changes the page, all at once for readers. */
  write(change: (words: BigInt64Array) => void): void {
    Atomics.add(this.words, WRITES, 1n);
    change(this.words);
    Atomics.add(this.words, WRITES, 1n);
  }
}

import type { Felt } from "#base/primitives/index.ts";

/** Accounts that one page has room for: each look goes through all of them. */
export const MAX_IMPERSONATED = 1_000;

/**
 * Words of 64 bits: how often the page was written (odd while it is being written), whether all
 * accounts are meant, how many follow, and four words for each address, the lowest one first.
 */
const WRITES = 0;
const ALL = 1;
const COUNT = 2;
const ADDRESSES = 3;

const ADDRESS_WORDS = 4;

/**
 * The accounts of a development chain whose transactions are taken with any signature: one page of
 * memory that all threads share. One thread writes; the others never see half of a change.
 */
export class ImpersonatedAccounts {
  readonly #words: BigUint64Array;

  /** @param page - of {@link createImpersonationPage} */
  constructor(page: SharedArrayBuffer) {
    this.#words = new BigUint64Array(page);
  }

  /** Whether the signature of an account is not looked at. */
  has(address: Felt): boolean {
    const words = this.#words;
    for (;;) {
      const before = Atomics.load(words, WRITES);
      const found = words[ALL] === 1n || this.#find(address) !== undefined;
      // A change takes some microseconds: what was begun is over at one of the next looks.
      if (before % 2n === 0n && Atomics.load(words, WRITES) === before) return found;
    }
  }

  /**
   * Impersonates an account; again is no different.
   *
   * @returns `false` when there are {@link MAX_IMPERSONATED} others; nothing was done then
   */
  add(address: Felt): boolean {
    if (this.#find(address) !== undefined) return true;
    const count = this.#count();
    if (count >= MAX_IMPERSONATED) return false;
    this.#write((words) => {
      words.set(wordsOf(address), placeOf(count));
      words[COUNT] = BigInt(count + 1);
    });
    return true;
  }

  /** Stops impersonating an account; where all are meant, it stays one of them. */
  remove(address: Felt): void {
    const index = this.#find(address);
    if (index === undefined) return;
    const last = this.#count() - 1;
    this.#write((words) => {
      words.copyWithin(placeOf(index), placeOf(last), placeOf(last + 1));
      words[COUNT] = BigInt(last);
    });
  }

  /** All accounts are meant, or again those alone that were added. */
  setAll(isOn: boolean): void {
    this.#write((words) => {
      words[ALL] = isOn ? 1n : 0n;
    });
  }

  /** No account is meant any more. */
  clear(): void {
    this.#write((words) => words.fill(0n, ALL));
  }

  #count(): number {
    // What a writer has in hand must not lead a reader beyond the page.
    return Math.min(Number(this.#words[COUNT] ?? 0n), MAX_IMPERSONATED);
  }

  #find(address: Felt): number | undefined {
    const count = this.#count();
    if (count === 0) return undefined;
    const wanted = wordsOf(address);
    for (let index = 0; index < count; index++) {
      const place = placeOf(index);
      if (wanted.every((word, i) => this.#words[place + i] === word)) return index;
    }
    return undefined;
  }

  #write(change: (words: BigUint64Array) => void): void {
    Atomics.add(this.#words, WRITES, 1n);
    change(this.#words);
    Atomics.add(this.#words, WRITES, 1n);
  }
}

/** A page on which no account is impersonated. */
export function createImpersonationPage(): SharedArrayBuffer {
  return new SharedArrayBuffer((ADDRESSES + MAX_IMPERSONATED * ADDRESS_WORDS) * 8);
}

function placeOf(index: number): number {
  return ADDRESSES + index * ADDRESS_WORDS;
}

function wordsOf(address: Felt): readonly bigint[] {
  return Array.from({ length: ADDRESS_WORDS }, (_, i) =>
    BigInt.asUintN(64, address >> BigInt(64 * i)),
  );
}

import { type Felt, FIRST_WORD, SharedPage } from "#base/primitives/index.ts";

/** Accounts that one page has room for: each look goes through all of them. */
export const MAX_IMPERSONATED = 1_000;

/**
 * Words of the page: whether all accounts are meant, how many follow, and four words for each address,
 * the lowest one first.
 */
const ALL = FIRST_WORD;
const COUNT = ALL + 1;
const ADDRESSES = COUNT + 1;

const ADDRESS_WORDS = 4;

/**
 * The accounts of a development chain whose transactions are taken with any signature: one page of
 * memory that all threads share. One thread writes; the others never see half of a change.
 */
export class ImpersonatedAccounts {
  readonly #page: SharedPage;

  /** @param page - of {@link createImpersonationPage} */
  constructor(page: SharedArrayBuffer) {
    this.#page = new SharedPage(page);
  }

  /** Whether the signature of an account is not looked at. */
  has(address: Felt): boolean {
    return this.#page.read((words) => words[ALL] === 1n || this.#find(address) !== undefined);
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
    this.#page.write((words) => {
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
    this.#page.write((words) => {
      words.copyWithin(placeOf(index), placeOf(last), placeOf(last + 1));
      words[COUNT] = BigInt(last);
    });
  }

  /** All accounts are meant, or again those alone that were added. */
  setAll(isOn: boolean): void {
    this.#page.write((words) => {
      words[ALL] = isOn ? 1n : 0n;
    });
  }

  /** No account is meant any more. */
  clear(): void {
    this.#page.write((words) => words.fill(0n, ALL));
  }

  #count(): number {
    // What a writer has in hand must not lead a reader beyond the page.
    return Math.min(Number(this.#page.words[COUNT] ?? 0n), MAX_IMPERSONATED);
  }

  #find(address: Felt): number | undefined {
    const count = this.#count();
    if (count === 0) return undefined;
    const wanted = wordsOf(address);
    for (let index = 0; index < count; index++) {
      const place = placeOf(index);
      if (wanted.every((word, i) => this.#page.words[place + i] === word)) return index;
    }
    return undefined;
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
    BigInt.asIntN(64, address >> BigInt(64 * i)),
  );
}

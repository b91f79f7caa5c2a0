import { type Felt, FIRST_WORD, SharedPage } from "#base/primitives/index.ts";

/** Maximum number of accounts on the page; each lookup scans all of them. */
export const MAX_IMPERSONATED = 1_000;

/**
 * Words of the page: whether all accounts are impersonated, the number of addresses, and four words per
 * address, least significant first.
 */
const ALL = FIRST_WORD;
const COUNT = ALL + 1;
const ADDRESSES = COUNT + 1;

const ADDRESS_WORDS = 4;

/**
 * Accounts of a development chain whose transactions are accepted with any signature: one page of memory
 * shared by all threads. One thread writes; readers never see a partial change.
 */
export class ImpersonatedAccounts {
  readonly #page: SharedPage;

  /** @param page - result of {@link createImpersonationPage} */
  constructor(page: SharedArrayBuffer) {
    this.#page = new SharedPage(page);
  }

  /** Whether an account's signature is not checked. */
  has(address: Felt): boolean {
    return this.#page.read((words) => words[ALL] === 1n || this.#find(address) !== undefined);
  }

  /**
   * Impersonates an account; no effect if it already is.
   *
   * @returns `false` without any change when {@link MAX_IMPERSONATED} others are impersonated
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

  /** Stops impersonating an account; no visible effect while all accounts are impersonated. */
  remove(address: Felt): void {
    const index = this.#find(address);
    if (index === undefined) return;
    const last = this.#count() - 1;
    this.#page.write((words) => {
      words.copyWithin(placeOf(index), placeOf(last), placeOf(last + 1));
      words[COUNT] = BigInt(last);
    });
  }

  /** Impersonates all accounts, or again only those that were added. */
  setAll(isOn: boolean): void {
    this.#page.write((words) => {
      words[ALL] = isOn ? 1n : 0n;
    });
  }

  /** Stops impersonating any account. */
  clear(): void {
    this.#page.write((words) => words.fill(0n, ALL));
  }

  #count(): number {
    // A read during a write may see garbage: it must not lead beyond the page.
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

/** Creates a page without impersonated accounts. */
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

import { RecentMap } from "#base/primitives/index.ts";

/** Answers that are kept; the largest have 100 kB. */
const MAX_ANSWERS = 32;

/**
 * Answers that all pages share: each is computed once for a state of the chain, however many pages request it. They are
 * dropped when the state changes.
 */
export class SharedAnswers {
  readonly #version: () => string;
  readonly #answers = new RecentMap<string, Promise<Uint8Array>>(MAX_ANSWERS);
  #current = "";

  /** @param version - changes whenever an answer may change */
  constructor(version: () => string) {
    this.#version = version;
  }

  /**
   * Returns the answer to a request, from `compute` if it is not kept. A failure is not shared: it may
   * concern only the client whose request computed it.
   *
   * @param key - everything that the answer depends on, except the version
   */
  get(key: string, compute: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const version = this.#version();
    if (version !== this.#current) this.#answers.clear();
    this.#current = version;
    const shared = this.#answers.touch(key);
    if (shared !== undefined) return shared.catch(compute);
    const answer = compute();
    this.#answers.set(key, answer);
    answer.catch(() => {
      if (this.#answers.touch(key) === answer) void this.#answers.delete(key);
    });
    return answer;
  }
}

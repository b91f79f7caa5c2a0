import type { Felt } from "#base/primitives/index.ts";
import type { OriginQuery } from "#io/origin/index.ts";

/** Maximum number of remembered keys: accounts read few variables when they validate, such as their public key. */
const MAX_KEYS = 8;

/** Remembers which variables accounts read in the account contract: other accounts of their class read the same. */
export class OwnKeys {
  readonly #keys = new Set<Felt>();

  /** Records a value that the check of an account's transaction lacked. */
  note(query: OriginQuery | undefined, account: Felt): void {
    if (query?.kind !== "storage" || query.address !== account) return;
    this.#keys.delete(query.key);
    this.#keys.add(query.key);
    const [oldest] = this.#keys;
    if (this.#keys.size > MAX_KEYS && oldest !== undefined) this.#keys.delete(oldest);
  }

  /** The remembered keys, the one that was read last at the end. */
  get keys(): readonly Felt[] {
    return [...this.#keys];
  }
}

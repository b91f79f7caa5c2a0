import { OriginError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { MempoolEntry } from "./mempool/index.ts";

/** Account nonces against which the mempool is restored after a start. */
export class ReloadNonces {
  readonly #state: Pick<StateReader, "nonceAt">;
  readonly #entries: () => Iterable<Pick<MempoolEntry, "sender" | "nonce">>;
  #lowest: Map<Felt, bigint> | undefined;

  /** @param entries - returns all transactions to restore */
  constructor(
    state: Pick<StateReader, "nonceAt">,
    entries: () => Iterable<Pick<MempoolEntry, "sender" | "nonce">>,
  ) {
    this.#state = state;
    this.#entries = entries;
  }

  /**
   * Returns the nonce that an account uses next. If the fork's origin does not return it, the lowest one of the
   * account's restored transactions: the mempool accepted it when the nonce was known.
   */
  of(sender: Felt): bigint {
    try {
      return this.#state.nonceAt(sender);
    } catch (error) {
      if (!(error instanceof OriginError)) throw error;
      this.#lowest ??= this.#findLowest();
      return this.#lowest.get(sender) ?? 0n;
    }
  }

  #findLowest(): Map<Felt, bigint> {
    const lowest = new Map<Felt, bigint>();
    for (const { sender, nonce } of this.#entries()) {
      const known = lowest.get(sender);
      if (known === undefined || nonce < known) lowest.set(sender, nonce);
    }
    return lowest;
  }
}

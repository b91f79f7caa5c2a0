import { type Felt, RecentMap } from "#base/primitives/index.ts";
import type { Declaration } from "./declaration.ts";

/** Declarations that are remembered: several blocks full of them. */
const MAX_KNOWN = 4_096;

/**
 * Hashes of received declarations by what their senders signed. A declaration that is sent again is known by
 * it without hashing its class, which its used nonce does not pay for. The signature is over the hash.
 */
export class KnownDeclarations {
  readonly #hashes = new RecentMap<string, Felt>(MAX_KNOWN);

  /** Remembers a declaration that was received. */
  add(transaction: Declaration["transaction"], hash: Felt): void {
    this.#hashes.set(keyOf(transaction), hash);
  }

  /** Hash of the same declaration; `undefined` when it is not remembered, or none. */
  hashOf(transaction: Declaration["transaction"]): Felt | undefined {
    return this.#hashes.get(keyOf(transaction));
  }
}

function keyOf({ senderAddress, nonce, signature }: Declaration["transaction"]): string {
  return [senderAddress, nonce, ...signature].join();
}

import { type Felt, RecentMap } from "#base/primitives/index.ts";
import type { Declaration } from "./declaration.ts";

/** Maximum number of declarations kept: several blocks full of them. */
const MAX_KNOWN = 4_096;

/**
 * Hashes of received declarations, keyed by sender, nonce and signature (which signs the hash). Recognizes a
 * repeated declaration without hashing its class: a used nonce pays for no work.
 */
export class KnownDeclarations {
  readonly #hashes = new RecentMap<string, Felt>(MAX_KNOWN);

  add(transaction: Declaration["transaction"], hash: Felt): void {
    this.#hashes.set(keyOf(transaction), hash);
  }

  /**
   * Transaction hash of a received declaration with the same sender, nonce and signature; `undefined` if none
   * is known.
   */
  hashOf(transaction: Declaration["transaction"]): Felt | undefined {
    return this.#hashes.get(keyOf(transaction));
  }
}

function keyOf({ senderAddress, nonce, signature }: Declaration["transaction"]): string {
  return [senderAddress, nonce, ...signature].join();
}

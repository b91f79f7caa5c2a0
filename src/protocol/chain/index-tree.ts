import { pedersenBatch, poseidonBatch } from "#protocol/crypto/index.ts";
import { type Felt, FIELD_PRIME } from "#base/primitives/index.ts";

/** Hash function of a block's commitments: Poseidon since protocol 0.13.2. */
export type CommitmentHash = "pedersen" | "poseidon";

/** Height of the tries that commit to the ordered parts of a block. */
const HEIGHT = 64;

/**
 * Patricia trie of height 64 with leaves under the keys 0, 1, 2, …; an empty trie has root 0. Zero leaves are
 * not supported: leaf hashes are never 0.
 *
 * Leaves arrive in batches. Each batch hashes the nodes that it completes, so the root takes at most three
 * more hashes per level.
 */
export class IndexTree {
  readonly #hash: CommitmentHash;
  /** Completed nodes by height. */
  readonly #levels: Felt[][] = [];

  constructor(hash: CommitmentHash) {
    this.#hash = hash;
  }

  add(leaves: readonly Felt[]): void {
    let added = leaves;
    for (let height = 0; added.length > 0; height++) {
      const level = (this.#levels[height] ??= []);
      const above = this.#levels[height + 1]?.length ?? 0;
      for (const node of added) level.push(node);
      added = hashPairs(level.slice(2 * above, level.length & ~1), this.#hash);
    }
  }

  /**
   * Returns the root over the leaves so far. Keys are dense, so only the last node of a level can be
   * incomplete; it is then the start of an edge to the left.
   */
  root(): Felt {
    if (this.#levels.length === 0) return 0n;
    let last: { readonly bottom: Felt; readonly edge: number } | undefined;
    let height = 0;
    for (; ; height++) {
      const level = this.#levels[height] ?? [];
      if (level.length + (last === undefined ? 0 : 1) === 1) {
        last ??= { bottom: level[0] ?? 0n, edge: 0 };
        break;
      }
      const single = level.length % 2 === 1 ? level[level.length - 1] : undefined;
      if (single === undefined) last = last && { ...last, edge: last.edge + 1 };
      else if (last === undefined) last = { bottom: single, edge: 1 };
      else {
        const right = edgeHash(last.bottom, last.edge, this.#hash);
        last = { bottom: hashPairs([single, right], this.#hash)[0] ?? 0n, edge: 0 };
      }
    }
    return edgeHash(last.bottom, last.edge + HEIGHT - height, this.#hash);
  }
}

/** Hash of an edge of `length` left steps down to `bottom`; `bottom` itself for length 0. */
function edgeHash(bottom: Felt, length: number, hash: CommitmentHash): Felt {
  if (length === 0) return bottom;
  const [top = 0n] = hashPairs([bottom, 0n], hash);
  return (top + BigInt(length)) % FIELD_PRIME;
}

function hashPairs(pairs: readonly Felt[], hash: CommitmentHash): Felt[] {
  return hash === "pedersen" ? pedersenBatch(pairs) : poseidonBatch(pairs);
}

import type { Felt } from "#base/primitives/index.ts";
import type { Places } from "./places.ts";

/** Keys to prove with one getStorageProof request of a replay. */
export interface ProofPart {
  /** Contracts with the storage keys of this request. */
  readonly contracts: readonly (readonly [Felt, readonly Felt[]])[];
  readonly classHashes: readonly Felt[];
}

/**
 * Splits the contracts, storage keys and classes that a block reads or writes into proof requests of at most
 * `maxKeys` keys; a contract counts as one key. Each class gets its own request, since some nodes allow no
 * more.
 */
export function proofParts({ contracts, classes }: Places, maxKeys: number): ProofPart[] {
  const parts: ProofPart[] = [];
  let open: [Felt, Felt[]][] = [];
  let count = 0;
  const close = (): void => {
    if (open.length > 0) parts.push({ contracts: open, classHashes: [] });
    open = [];
    count = 0;
  };
  for (const [address, keys] of contracts) {
    // Room for a contract and at least one of its keys.
    if (count + 2 > maxKeys) close();
    let own: Felt[] = [];
    open.push([address, own]);
    count++;
    for (const key of keys) {
      if (count >= maxKeys) {
        close();
        open.push([address, (own = [])]);
        count = 1;
      }
      own.push(key);
      count++;
    }
  }
  close();
  for (const classHash of classes) parts.push({ contracts: [], classHashes: [classHash] });
  return parts;
}

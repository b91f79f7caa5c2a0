import type { Felt } from "#base/primitives/index.ts";
import type { Places } from "./places.ts";

/** What is proven with one question. */
export interface ProofPart {
  /** Contracts with the storage keys that are asked for with this question. */
  readonly contracts: readonly (readonly [Felt, readonly Felt[]])[];
  readonly classHashes: readonly Felt[];
}

/**
 * Places in parts of at most `maxKeys` keys, where a contract counts as one; classes one by one, since
 * some nodes allow no more.
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
    // A contract and one key of it at least.
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

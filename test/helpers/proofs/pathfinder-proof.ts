import type { WireNode } from "./trie-walk.ts";
import { type PairHash, pedersenOf } from "./trie-walk.ts";

/** A node of a proof of pathfinder_getProof. */
export type PathfinderNode =
  | { readonly binary: { readonly left: string; readonly right: string } }
  | {
      readonly edge: {
        readonly path: { readonly value: string; readonly len: number };
        readonly child: string;
      };
    };

/** Wire format of the result of pathfinder_getProof. */
export interface PathfinderProof {
  readonly state_commitment: string | null;
  readonly class_commitment: string | null;
  readonly contract_proof: readonly PathfinderNode[];
  readonly contract_data?: {
    readonly class_hash: string;
    readonly nonce: string;
    readonly root: string;
    readonly contract_state_hash_version: string;
    readonly storage_proofs: readonly (readonly PathfinderNode[])[];
  };
}

const FIELD_PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;

/** Nodes in the format of getStorageProof: with Pathfinder's format, clients hash them. */
export function wireNodes(
  nodes: readonly PathfinderNode[],
  hash: PairHash = pedersenOf,
): WireNode[] {
  return nodes.map((node) => {
    if ("binary" in node) {
      const { left, right } = node.binary;
      return { node_hash: hex(hash(BigInt(left), BigInt(right))), node: { left, right } };
    }
    const { child, path } = node.edge;
    const own = (hash(BigInt(child), BigInt(path.value)) + BigInt(path.len)) % FIELD_PRIME;
    return { node_hash: hex(own), node: { path: path.value, length: path.len, child } };
  });
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

import {
  array,
  type Decoder,
  felt,
  integer,
  isJsonObject,
  memberPath,
  object,
} from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ProofNode } from "#protocol/trie/index.ts";

/** Result of getStorageProof. Only its shape is checked. */
export interface RemoteProof {
  readonly classes: readonly ProofNode[];
  readonly contracts: readonly ProofNode[];
  /** One per requested contract, in request order. */
  readonly leaves: readonly RemoteLeaf[];
  /** One per contract with requested storage keys, in request order. */
  readonly storage: readonly (readonly ProofNode[])[];
  readonly contractsRoot: Felt;
  readonly classesRoot: Felt;
  readonly blockHash: Felt;
}

/** Preimage of a leaf of the contracts trie. */
export interface RemoteLeaf {
  readonly nonce: Felt;
  readonly classHash: Felt;
  /** `undefined` if the node does not report it. */
  readonly storageRoot: Felt | undefined;
}

const binary = object({ left: felt, right: felt });
const edge = object({ path: felt, length: integer(1, 251), child: felt });

const node: Decoder<ProofNode> = {
  describe: "node of a proof",
  decode(value, path) {
    const { node_hash: hash } = object({ node_hash: felt }).decode(value, path);
    const inner = isJsonObject(value) ? value["node"] : undefined;
    const at = memberPath(path, "node");
    if (isJsonObject(inner) && Object.hasOwn(inner, "child")) {
      const read = edge.decode(inner, at);
      if (read.path >> BigInt(read.length) !== 0n) {
        throw new DecodeError(memberPath(at, "path"), `a number of ${read.length} bits`);
      }
      return { kind: "edge", hash, ...read };
    }
    return { kind: "binary", hash, ...binary.decode(inner, at) };
  },
};

const members = object({
  classes_proof: array(node),
  contracts_proof: object({
    nodes: array(node),
    contract_leaves_data: array(object({ nonce: felt, class_hash: felt }, { storage_root: felt })),
  }),
  contracts_storage_proofs: array(array(node)),
  global_roots: object({ contracts_tree_root: felt, classes_tree_root: felt, block_hash: felt }),
});

/** Decodes the result of getStorageProof. */
export const remoteProof: Decoder<RemoteProof> = {
  describe: members.describe,
  decode(value, path) {
    const read = members.decode(value, path);
    const { global_roots: roots, contracts_proof: contracts } = read;
    return {
      classes: read.classes_proof,
      contracts: contracts.nodes,
      leaves: contracts.contract_leaves_data.map((leaf) => ({
        nonce: leaf.nonce,
        classHash: leaf.class_hash,
        storageRoot: leaf.storage_root,
      })),
      storage: read.contracts_storage_proofs,
      contractsRoot: roots.contracts_tree_root,
      classesRoot: roots.classes_tree_root,
      blockHash: roots.block_hash,
    };
  },
};

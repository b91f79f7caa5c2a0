import {
  address,
  array,
  convert,
  type Decoder,
  felt,
  type JsonObject,
  object,
  storageKey,
} from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { ProofNode } from "#protocol/trie/index.ts";
import type { ContractStorageKeys, StorageProofAnswer } from "../answers.ts";

/** The classes trie has 2^251 leaves. */
const CLASS_HASH_BOUND = 1n << 251n;

/** Decoder of the parameter `class_hashes` of getStorageProof. */
export const provenClasses: Decoder<readonly Felt[]> = array(
  convert(felt, "class hash (0x hex below 2^251)", (hash) =>
    hash < CLASS_HASH_BOUND ? hash : undefined,
  ),
);

/** Decoder of the parameter `contract_addresses` of getStorageProof. */
export const provenContracts: Decoder<readonly Felt[]> = array(address);

const storageKeysMembers = object({
  contract_address: address,
  storage_keys: array(storageKey),
});

/** Decoder of the parameter `contracts_storage_keys` of getStorageProof. */
export const provenStorage: Decoder<readonly ContractStorageKeys[]> = array(
  convert(
    storageKeysMembers,
    storageKeysMembers.describe,
    ({ contract_address, storage_keys }) => ({
      contractAddress: contract_address,
      storageKeys: storage_keys,
    }),
  ),
);

/** Encodes the result of getStorageProof. */
export function encodeStorageProof(proof: StorageProofAnswer): JsonObject {
  return {
    classes_proof: encodeNodes(proof.classes),
    contracts_proof: {
      nodes: encodeNodes(proof.contracts),
      contract_leaves_data: proof.leaves.map(({ nonce, classHash, storageRoot }) => ({
        nonce: hexFromFelt(nonce),
        class_hash: hexFromFelt(classHash),
        storage_root: hexFromFelt(storageRoot),
      })),
    },
    contracts_storage_proofs: proof.storage.map(encodeNodes),
    global_roots: {
      contracts_tree_root: hexFromFelt(proof.contractsRoot),
      classes_tree_root: hexFromFelt(proof.classesRoot),
      block_hash: hexFromFelt(proof.blockHash),
    },
  };
}

/** NODE_HASH_TO_NODE_MAPPING. */
function encodeNodes(nodes: readonly ProofNode[]): JsonObject[] {
  return nodes.map((node) => ({
    node_hash: hexFromFelt(node.hash),
    node:
      node.kind === "binary"
        ? { left: hexFromFelt(node.left), right: hexFromFelt(node.right) }
        : { path: hexFromFelt(node.path), length: node.length, child: hexFromFelt(node.child) },
  }));
}

import { poseidonHashMany } from "@scure/starknet";
import {
  pedersenOf,
  type PairHash,
  poseidonOf,
  proveLeaf,
  type ProvenLeaf,
  type WireNode,
} from "./trie-walk.ts";

/** Wire format of the result of getStorageProof. */
export interface StorageProof {
  readonly classes_proof: readonly WireNode[];
  readonly contracts_proof: {
    readonly nodes: readonly WireNode[];
    readonly contract_leaves_data: readonly WireLeaf[];
  };
  readonly contracts_storage_proofs: readonly (readonly WireNode[])[];
  readonly global_roots: {
    readonly contracts_tree_root: string;
    readonly classes_tree_root: string;
    readonly block_hash: string;
  };
}

/** Member of `contract_leaves_data`. */
export interface WireLeaf {
  readonly nonce: string;
  readonly class_hash: string;
  readonly storage_root: string;
}

/** Objects of a proof request. */
export interface ProofRequest {
  readonly class_hashes?: readonly string[];
  readonly contract_addresses?: readonly string[];
  readonly contracts_storage_keys?: readonly {
    readonly contract_address: string;
    readonly storage_keys: readonly string[];
  }[];
}

/** Header of a block, the only trusted data. */
export interface TrustedHeader {
  readonly hash: bigint;
  readonly stateRoot: bigint;
}

/** Proven values; the proof is valid if `findings` is empty. Missing values are 0. */
export interface ProvenState {
  readonly findings: readonly string[];
  /** Leaves of classes, see {@link classLeafOf}. */
  readonly classes: readonly bigint[];
  readonly contracts: readonly WireLeaf[];
  readonly storage: readonly (readonly bigint[])[];
}

/** Number of a short text. */
function shortString(text: string): bigint {
  return BigInt(`0x${Buffer.from(text, "ascii").toString("hex")}`);
}

/**
 * Root of the state from those of its two tries, in every protocol since 0.11.0 if there are Sierra
 * classes, and in all cases since 0.14.0.
 */
export function stateRootOf(contractsRoot: bigint, classesRoot: bigint): bigint {
  return poseidonHashMany([shortString("STARKNET_STATE_V0"), contractsRoot, classesRoot]);
}

/** Leaf of a class in the class trie. */
export function classLeafOf(compiledClassHash: bigint): bigint {
  return poseidonOf(shortString("CONTRACT_CLASS_LEAF_V0"), compiledClassHash);
}

/** Leaf of a contract in the contract trie. */
export function contractLeafOf({ class_hash, storage_root, nonce }: WireLeaf): bigint {
  const withStorage = pedersenOf(BigInt(class_hash), BigInt(storage_root));
  return pedersenOf(pedersenOf(withStorage, BigInt(nonce)), 0n);
}

/**
 * Verifies a response of getStorageProof against a header. Storage is only verified for contracts
 * of `contract_addresses`, whose leaves contain its root.
 */
export function verifyStorageProof(
  request: ProofRequest,
  proof: StorageProof,
  header: TrustedHeader,
): ProvenState {
  const findings: string[] = [];
  const { class_hashes = [], contract_addresses = [], contracts_storage_keys = [] } = request;
  const { global_roots, classes_proof, contracts_proof, contracts_storage_proofs } = proof;
  const contractsRoot = BigInt(global_roots.contracts_tree_root);
  const classesRoot = BigInt(global_roots.classes_tree_root);
  if (BigInt(global_roots.block_hash) !== header.hash) findings.push("another block's hash");
  if (stateRootOf(contractsRoot, classesRoot) !== header.stateRoot) {
    findings.push("the roots are not those of the block");
  }
  const walk = (what: string, nodes: readonly WireNode[], root: bigint, hash: PairHash) =>
    leavesOf(what, nodes, root, hash, findings);

  const classes = walk("class", classes_proof, classesRoot, poseidonOf)(class_hashes);

  const { nodes, contract_leaves_data } = contracts_proof;
  const leaves = walk("contract", nodes, contractsRoot, pedersenOf)(contract_addresses);
  if (contract_leaves_data.length !== contract_addresses.length) {
    findings.push(`${contract_leaves_data.length} leaves of contracts`);
  }
  const roots = new Map<bigint, bigint>();
  for (const [i, leaf] of contract_leaves_data.entries()) {
    const isNothing = Object.values(leaf).every((text) => BigInt(text as string) === 0n);
    if ((isNothing ? 0n : contractLeafOf(leaf)) !== leaves[i]) {
      findings.push(`contract ${contract_addresses[i]}: another leaf`);
    }
    roots.set(BigInt(contract_addresses[i] ?? 0), BigInt(leaf.storage_root));
  }

  if (contracts_storage_proofs.length !== contracts_storage_keys.length) {
    findings.push(`${contracts_storage_proofs.length} proofs of storage`);
  }
  const storage = contracts_storage_keys.map(({ contract_address, storage_keys }, i) => {
    const root = roots.get(BigInt(contract_address));
    if (root === undefined) {
      findings.push(`contract ${contract_address}: its root is not proven`);
      return [];
    }
    const proofNodes = contracts_storage_proofs[i] ?? [];
    return walk(`storage of ${contract_address}`, proofNodes, root, pedersenOf)(storage_keys);
  });
  return { findings, classes, contracts: contract_leaves_data, storage };
}

/** Leaves of keys; unused nodes are a finding, and so are two with one hash. */
function leavesOf(
  what: string,
  nodes: readonly WireNode[],
  root: bigint,
  hash: PairHash,
  findings: string[],
): (keys: readonly string[]) => bigint[] {
  return (keys) => {
    const needed = new Set<string>();
    const leaves = keys.map((key) => {
      const proven: ProvenLeaf = proveLeaf(nodes, root, BigInt(key), hash);
      if (proven.kind === "leaf") {
        for (const visited of proven.visited) needed.add(visited);
        return proven.value;
      }
      findings.push(`${what} ${key}: ${proven.reason}`);
      return 0n;
    });
    if (needed.size !== nodes.length) {
      findings.push(`${what}: ${nodes.length} nodes, of which ${needed.size} are needed`);
    }
    return leaves;
  };
}

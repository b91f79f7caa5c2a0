import { type JsonObject, type JsonValue, named, type Schema } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { ProofNode } from "#protocol/trie/index.ts";
import type { ContractLeafData } from "../spec/answers.ts";
import { COUNT, FELT, list, oneOf, orNull, record } from "../spec/schemas/common.ts";

/** Contract with proofs of its storage, as in the response of pathfinder_getProof. */
export interface PathfinderProof {
  readonly stateCommitment: Felt;
  /** 0 if there are no Sierra classes. */
  readonly classCommitment: Felt;
  /** Starting at the root. */
  readonly contractProof: readonly ProofNode[];
  readonly contract: ContractLeafData;
  /** One proof per key, in order, each starting at the root. */
  readonly storageProofs: readonly (readonly ProofNode[])[];
}

/** Version of a contract leaf's preimage (`contract_state_hash_version`): 0 so far. */
const CONTRACT_STATE_VERSION = 0n;

/**
 * Encodes a proof as Pathfinder does: commitments are null instead of 0, and a contract that does not exist
 * has no data.
 */
export function encodePathfinderProof(proof: PathfinderProof): JsonValue {
  const { classHash, nonce, storageRoot } = proof.contract;
  const isThere = classHash !== 0n || nonce !== 0n || storageRoot !== 0n;
  return {
    state_commitment: commitment(proof.stateCommitment),
    class_commitment: commitment(proof.classCommitment),
    contract_proof: proof.contractProof.map(encodeNode),
    ...(isThere && {
      contract_data: {
        class_hash: hexFromFelt(classHash),
        nonce: hexFromFelt(nonce),
        root: hexFromFelt(storageRoot),
        contract_state_hash_version: hexFromFelt(CONTRACT_STATE_VERSION),
        storage_proofs: proof.storageProofs.map((nodes) => nodes.map(encodeNode)),
      },
    }),
  };
}

function commitment(hash: Felt): JsonValue {
  return hash === 0n ? null : hexFromFelt(hash);
}

function encodeNode(node: ProofNode): JsonObject {
  return node.kind === "binary"
    ? { binary: { left: hexFromFelt(node.left), right: hexFromFelt(node.right) } }
    : {
        edge: {
          path: { value: hexFromFelt(node.path), len: node.length },
          child: hexFromFelt(node.child),
        },
      };
}

const PROOF: Schema = named(
  "PATHFINDER_PROOF",
  list(
    oneOf(
      record({ binary: record({ left: FELT, right: FELT }) }),
      record({ edge: record({ path: record({ value: FELT, len: COUNT }), child: FELT }) }),
    ),
  ),
);

/** JSON schema of the result of {@link encodePathfinderProof}. */
export const PATHFINDER_PROOF: Schema = record(
  {
    state_commitment: orNull(FELT),
    class_commitment: orNull(FELT),
    contract_proof: PROOF,
  },
  {
    contract_data: record({
      class_hash: FELT,
      nonce: FELT,
      root: FELT,
      contract_state_hash_version: FELT,
      storage_proofs: list(PROOF),
    }),
  },
);

import { array, storageKey, address } from "#base/codec/index.ts";
import { method, required } from "../method.ts";
import { ProofFault } from "../proofs/faults.ts";
import { encodePathfinderProof, PATHFINDER_PROOF } from "../proofs/pathfinder-proof.ts";
import { proveAt } from "../proofs/prove-at.ts";
import { CLASSES_TRIE, CONTRACTS_TRIE, storageTrie } from "../proofs/proven-state.ts";

/**
 * JSON-RPC method `pathfinder_getProof`: Merkle proofs of a contract and its storage variables, in
 * the form of Pathfinder. Served for every version of the specification, and part of none. Source:
 * eqlabs/pathfinder, specs/rpc/pathfinder_rpc_api.json (API version 0.1).
 */
export const pathfinderGetProof = method({
  name: "pathfinder_getProof",
  family: "read",
  runsOn: "query",
  summary: "Merkle proofs of a contract and its storage variables, in the form of Pathfinder.",
  params: (spec) => ({
    block_id: required(spec.provenBlockId),
    contract_address: required(address),
    keys: required(array(storageKey)),
  }),
  result: () => encodePathfinderProof,
  answer: () => PATHFINDER_PROOF,
  errors: ["BLOCK_NOT_FOUND"],
  handler(context, { block_id, contract_address, keys }, fail) {
    const { maxProofKeys } = context.limits;
    if (keys.length > maxProofKeys) throw ProofFault.tooManyKeys(maxProofKeys, keys.length);
    const refusals = {
      notFound: (reason?: string) => fail("BLOCK_NOT_FOUND", reason),
      notKept(reason: string): never {
        throw ProofFault.missing(reason);
      },
    };
    return proveAt(context, block_id, refusals, (state, header) => ({
      stateCommitment: header.newRoot,
      classCommitment: state.rootOf(CLASSES_TRIE),
      contractProof: state.prove(CONTRACTS_TRIE, [contract_address]),
      contract: state.contract(contract_address),
      // Proven separately: each proof is a complete path from the root.
      storageProofs: keys.map((key) => state.prove(storageTrie(contract_address), [key])),
    }));
  },
});

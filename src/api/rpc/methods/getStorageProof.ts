import { method, optional, required } from "../method.ts";
import { ProofFault } from "../proofs/faults.ts";
import { proveAt } from "../proofs/prove-at.ts";
import { CLASSES_TRIE, CONTRACTS_TRIE, storageTrie } from "../proofs/proven-state.ts";
import { type OriginProof, originProof } from "../proofs/origin-proof.ts";
import type { ContractStorageKeys, StorageProofAnswer } from "../spec/answers.ts";
import { hexFromFelt } from "#base/primitives/index.ts";

/**
 * JSON-RPC method `starknet_getStorageProof`: Merkle proofs of classes, contracts and storage
 * variables, present or absent.
 */
export const getStorageProof = method({
  name: "getStorageProof",
  family: "read",
  runsOn: "query",
  summary: "Merkle proofs of classes, contracts and storage variables, present or absent.",
  params: (spec) => ({
    block_id: required(spec.provenBlockId),
    class_hashes: optional(spec.provenClasses, []),
    contract_addresses: optional(spec.provenContracts, []),
    contracts_storage_keys: optional(spec.provenStorage, []),
  }),
  result: (spec) => (answer: StorageProofAnswer | OriginProof) =>
    "json" in answer ? answer.json : spec.storageProof(answer),
  answer: (spec) => spec.schemas.storageProof,
  errors: ["BLOCK_NOT_FOUND", "STORAGE_PROOF_NOT_SUPPORTED"],
  handler(context, { block_id, class_hashes, contract_addresses, contracts_storage_keys }, fail) {
    const { maxProofKeys } = context.limits;
    const requested =
      class_hashes.length + contract_addresses.length + storageKeyCount(contracts_storage_keys);
    if (requested > maxProofKeys) throw ProofFault.tooManyKeys(maxProofKeys, requested);
    const forwarded = originProof(context, block_id, {
      class_hashes: class_hashes.map(hexFromFelt),
      contract_addresses: contract_addresses.map(hexFromFelt),
      contracts_storage_keys: contracts_storage_keys.map(({ contractAddress, storageKeys }) => ({
        contract_address: hexFromFelt(contractAddress),
        storage_keys: storageKeys.map(hexFromFelt),
      })),
    });
    if (forwarded === "unproven") return fail("STORAGE_PROOF_NOT_SUPPORTED", UNPROVEN);
    if (forwarded !== undefined) return forwarded;
    const refusals = {
      notFound: (reason?: string) => fail("BLOCK_NOT_FOUND", reason),
      notKept: (reason: string) => fail("STORAGE_PROOF_NOT_SUPPORTED", reason),
    };
    return proveAt(context, block_id, refusals, (state, header) => ({
      blockHash: header.hash,
      contractsRoot: state.rootOf(CONTRACTS_TRIE),
      classesRoot: state.rootOf(CLASSES_TRIE),
      classes: state.prove(CLASSES_TRIE, class_hashes),
      contracts: state.prove(CONTRACTS_TRIE, contract_addresses),
      leaves: contract_addresses.map((address) => state.contract(address)),
      storage: contracts_storage_keys.map(({ contractAddress, storageKeys }) =>
        state.prove(storageTrie(contractAddress), storageKeys),
      ),
    }));
  },
});

const UNPROVEN = "the fork's origin does not prove this block";

/** A contract without keys counts as one: it has an entry in the response, too. */
function storageKeyCount(contracts: readonly ContractStorageKeys[]): number {
  return contracts.reduce((count, { storageKeys }) => count + Math.max(1, storageKeys.length), 0);
}

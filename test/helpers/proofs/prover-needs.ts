import type { RunningChain } from "#test/helpers/binary.ts";
import { rawCall } from "#test/helpers/binary.ts";
import { type StorageProof, type ProofRequest, type TrustedHeader } from "./storage-proof.ts";

/** Maximum storage keys that a prover requests in one call. */
export const MAX_KEYS = 90;
/** Number of concurrent calls of a prover. */
const PARALLEL = 10;

/** Wire format of INITIAL_READS. */
export interface InitialReads {
  readonly storage: readonly { contract_address: string; key: string; value: string }[];
  readonly nonces: readonly { contract_address: string; nonce: string }[];
  readonly class_hashes: readonly { contract_address: string; class_hash: string }[];
  readonly declared_contracts: readonly { class_hash: string; is_declared: boolean }[];
}

/** Wire format of STATE_DIFF. */
export interface WireDiff {
  readonly storage_diffs: readonly {
    address: string;
    storage_entries: readonly { key: string; value: string }[];
  }[];
  readonly nonces: readonly { contract_address: string; nonce: string }[];
  readonly deployed_contracts: readonly { address: string; class_hash: string }[];
  readonly declared_classes: readonly { class_hash: string; compiled_class_hash: string }[];
}

/** Storage keys by contract of all reads and writes of a block. */
export function touchedKeys(reads: InitialReads, diff: WireDiff): Map<string, Set<string>> {
  const touched = new Map<string, Set<string>>();
  const keysOf = (address: string): Set<string> => {
    const keys = touched.get(address) ?? new Set<string>();
    touched.set(address, keys);
    return keys;
  };
  for (const { contract_address, key } of reads.storage) keysOf(contract_address).add(key);
  for (const { contract_address } of [...reads.nonces, ...reads.class_hashes, ...diff.nonces]) {
    keysOf(contract_address);
  }
  for (const { address } of diff.deployed_contracts) keysOf(address);
  for (const { address, storage_entries } of diff.storage_diffs) {
    for (const { key } of storage_entries) keysOf(address).add(key);
  }
  return touched;
}

/**
 * Requests of a prover for a block: a contract and at most 90 of its keys per call, and a separate
 * call for every class.
 *
 * Source: keep-starknet-strange/snos, crates/rpc-client.
 */
export function proofRequests(
  touched: ReadonlyMap<string, ReadonlySet<string>>,
  classHashes: Iterable<string>,
): ProofRequest[] {
  const contracts = [...touched].flatMap(([contract_address, keys]) => {
    const all = [...keys];
    const chunks = Array.from({ length: Math.max(1, Math.ceil(all.length / MAX_KEYS)) }, (_, i) =>
      all.slice(i * MAX_KEYS, (i + 1) * MAX_KEYS),
    );
    return chunks.map((storage_keys) => ({
      class_hashes: [],
      contract_addresses: [contract_address],
      contracts_storage_keys: [{ contract_address, storage_keys }],
    }));
  });
  const classes = [...classHashes].map((hash) => ({
    class_hashes: [hash],
    contract_addresses: [],
    contracts_storage_keys: [],
  }));
  return [...contracts, ...classes];
}

/** Requests all proofs at a block, ten at a time. */
export async function fetchProofs(
  { url }: Pick<RunningChain, "url">,
  blockNumber: number,
  requests: readonly ProofRequest[],
): Promise<StorageProof[]> {
  const proofs: StorageProof[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let i = next++; i < requests.length; i = next++) {
      const { class_hashes, contract_addresses, contracts_storage_keys } = requests[i] ?? {};
      const { result, error } = await rawCall(`${url}/rpc/v0_10`, "starknet_getStorageProof", [
        { block_number: blockNumber },
        class_hashes,
        contract_addresses,
        contracts_storage_keys,
      ]);
      if (result === undefined) throw new TypeError(JSON.stringify(error));
      proofs[i] = result as StorageProof;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return proofs;
}

/** Header of a block. */
export async function trustedHeader(
  { url }: Pick<RunningChain, "url">,
  block_number: number,
): Promise<TrustedHeader> {
  const { result } = await rawCall(url, "starknet_getBlockWithTxHashes", [{ block_number }]);
  const { block_hash, new_root } = result as { block_hash: string; new_root: string };
  return { hash: BigInt(block_hash), stateRoot: BigInt(new_root) };
}

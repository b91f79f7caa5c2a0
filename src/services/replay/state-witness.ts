import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import {
  contractLeaf,
  PEDERSEN,
  type ProofNode,
  STATE_TRIE_HEIGHT,
  stateRootHash,
} from "#protocol/trie/index.ts";
import { protocolRules } from "#protocol/versions/index.ts";
import type { ProofRequest, RemoteLeaf, RemoteProof } from "#io/client/index.ts";
import { differ, requireSame } from "./difference.ts";
import type { IncrementalState } from "./new-root.ts";
import { PartialTrie } from "./partial-trie.ts";
import type { Places } from "./places.ts";
import { type ProofPart, proofParts } from "./proof-parts.ts";
import { type ProvenState, provenState } from "./proven-state.ts";
import type { ReplayPort } from "./source.ts";

/** Proven part of the state after block `header`, verified against that header's root. */
export class StateWitness implements IncrementalState {
  readonly #port: Pick<ReplayPort, "storageProof">;
  readonly #header: Pick<BlockHeader, "number" | "hash" | "newRoot" | "protocolVersion">;
  readonly #maxKeys: number;
  #proven: ProvenState | undefined;

  /**
   * @param header - its hash must have been checked
   * @param maxKeys - maximum keys per request
   */
  constructor(
    port: Pick<ReplayPort, "storageProof">,
    header: Pick<BlockHeader, "number" | "hash" | "newRoot" | "protocolVersion">,
    maxKeys: number,
  ) {
    this.#port = port;
    this.#header = header;
    this.#maxKeys = maxKeys;
  }

  /**
   * Proves places.
   *
   * @throws {DifferenceFound} when a proof does not lead to the root
   */
  async prove(places: Places): Promise<ProvenState> {
    for (const part of proofParts(places, this.#maxKeys)) await this.#ask(part);
    return this.proven;
  }

  /** The part proven so far; an empty state needs no proof. */
  get proven(): ProvenState {
    return (this.#proven ??= provenState(0n, 0n));
  }

  async learnContracts(keys: readonly Felt[]): Promise<void> {
    for (const contractAddress of keys) {
      await this.#nodes({ ...NOTHING, contractAddresses: [contractAddress] });
    }
  }

  async learnClasses(keys: readonly Felt[]): Promise<void> {
    for (const classHash of keys) await this.#nodes({ ...NOTHING, classHashes: [classHash] });
  }

  async learnStorage(contractAddress: Felt, keys: readonly Felt[]): Promise<void> {
    for (let from = 0; from < keys.length; from += this.#maxKeys) {
      const part = keys.slice(from, from + this.#maxKeys);
      const { storage } = await this.#nodes({
        ...NOTHING,
        storageKeys: [{ contractAddress, keys: part }],
      });
      this.proven.contracts.get(contractAddress)?.storage.add(storage[0] ?? []);
    }
  }

  async #ask({ contracts, classHashes }: ProofPart): Promise<void> {
    const contractAddresses = contracts.map(([address]) => address);
    const withKeys = contracts.filter(([, keys]) => keys.length > 0);
    const proof = await this.#nodes({
      classHashes,
      contractAddresses,
      storageKeys: withKeys.map(([contractAddress, keys]) => ({ contractAddress, keys })),
    });
    const { proven } = this;
    const nodesOf = new Map(withKeys.map(([address], i) => [address, proof.storage[i] ?? []]));
    const rootless = contractAddresses.filter(
      (address, i) => proof.leaves[i]?.storageRoot === undefined && !nodesOf.has(address),
    );
    if (rootless.length > 0) {
      const storageKeys = rootless.map((contractAddress) => ({ contractAddress, keys: [0n] }));
      const { storage } = await this.#nodes({ ...NOTHING, storageKeys });
      for (const [i, address] of rootless.entries()) nodesOf.set(address, storage[i] ?? []);
    }
    for (const [i, address] of contractAddresses.entries()) {
      const nodes = nodesOf.get(address) ?? [];
      const known = proven.contracts.get(address);
      if (known === undefined) this.#addContract(address, proof.leaves[i], nodes);
      else known.storage.add(nodes);
    }
    for (const [address, keys] of withKeys) {
      // Look up each value now, so that a missing one is reported before execution.
      for (const key of keys) proven.contracts.get(address)?.storage.get(key);
    }
    for (const classHash of classHashes) {
      proven.classLeaves.set(classHash, proven.classesTrie.get(classHash));
    }
  }

  async #nodes(request: ProofRequest): Promise<RemoteProof> {
    const { number, hash, newRoot, protocolVersion } = this.#header;
    const proof = await this.#port.storageProof(number, request);
    const at = `getStorageProof at block ${number}`;
    requireSame(`${at}: global_roots.block_hash`, hash, proof.blockHash);
    requireFew(`${at}: nodes of contracts_proof`, proof.contracts, contractsOf(request));
    requireFew(`${at}: nodes of classes_proof`, proof.classes, request.classHashes.length);
    for (const [i, nodes] of proof.storage.entries()) {
      const keys = request.storageKeys[i]?.keys.length ?? 0;
      requireFew(`${at}: nodes of contracts_storage_proofs[${i}]`, nodes, keys);
    }
    const { contractsRoot, classesRoot } = proof;
    const { alwaysHashClasses } = protocolRules(protocolVersion);
    const root = stateRootHash(contractsRoot, classesRoot, alwaysHashClasses);
    requireSame(`${at}: hash of global_roots`, newRoot, root);
    requireSame(
      `${at}: number of contract_leaves_data`,
      request.contractAddresses.length,
      proof.leaves.length,
    );
    requireSame(
      `${at}: number of contracts_storage_proofs`,
      request.storageKeys.length,
      proof.storage.length,
    );
    this.#proven ??= provenState(contractsRoot, classesRoot);
    this.#proven.contractsTrie.add(proof.contracts);
    this.#proven.classesTrie.add(proof.classes);
    return proof;
  }

  #addContract(address: Felt, remote: RemoteLeaf | undefined, nodes: readonly ProofNode[]): void {
    const { contractsTrie, contracts } = this.proven;
    const leaf = contractsTrie.get(address);
    const { classHash = 0n, nonce = 0n } = remote ?? {};
    const storageRoot = remote?.storageRoot ?? matchingRoot(nodes, leaf, classHash, nonce);
    const name = hexFromFelt(address);
    const field = `leaf of contract ${name} from its class hash, nonce and storage root`;
    // No leaf means that nothing is set.
    requireSame(field, leaf, contractLeaf(classHash, storageRoot, nonce));
    const storage = new PartialTrie(`storage of ${name}`, storageRoot, PEDERSEN);
    storage.add(nodes);
    contracts.set(address, { classHash, nonce, storage });
  }
}

/**
 * Rejects a proof with more nodes than the paths to its keys can have, counted once per key plus one, since
 * all of them would be hashed.
 */
function requireFew(field: string, { length }: readonly ProofNode[], keys: number): void {
  const most = (keys + 1) * STATE_TRIE_HEIGHT;
  if (length > most) differ(field, `at most ${most}`, length);
}

/**
 * Contracts whose paths a proof may contain: some nodes also return those of contracts whose storage is
 * requested.
 */
function contractsOf({ contractAddresses, storageKeys }: ProofRequest): number {
  return contractAddresses.length + storageKeys.length;
}

const NOTHING: ProofRequest = { classHashes: [], contractAddresses: [], storageKeys: [] };

/** Derives a storage root that the node omits: the proof's node that matches the leaf. */
function matchingRoot(nodes: readonly ProofNode[], leaf: Felt, classHash: Felt, nonce: Felt): Felt {
  const fitting = nodes.find(({ hash }) => contractLeaf(classHash, hash, nonce) === leaf);
  return fitting?.hash ?? 0n;
}

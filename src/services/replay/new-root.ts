import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { BlockHeader, StateDiff } from "#protocol/chain/index.ts";
import {
  classLeaf,
  contractLeaf,
  type LeafUpdate,
  PEDERSEN,
  stateRootHash,
} from "#protocol/trie/index.ts";
import { protocolRules } from "#protocol/versions/index.ts";
import { differ } from "./difference.ts";
import { PartialTrie } from "./partial-trie.ts";
import { type ProvenContract, type ProvenState, provenState } from "./proven-state.ts";

/** The proven part of a state, with methods to prove more of its tries. */
export interface IncrementalState {
  readonly proven: ProvenState;
  /** Fetches the nodes on the paths to keys of the contracts trie. */
  learnContracts(keys: readonly Felt[]): Promise<void>;
  /** Fetches the nodes on the paths to keys of the classes trie. */
  learnClasses(keys: readonly Felt[]): Promise<void>;
  /** Fetches the nodes on the paths to keys of a contract's storage. */
  learnStorage(contractAddress: Felt, keys: readonly Felt[]): Promise<void>;
}

/** The empty state before block 0, which needs no proofs. */
export function emptyState(): IncrementalState {
  const learn = (): Promise<void> => Promise.resolve();
  return {
    proven: provenState(0n, 0n),
    learnContracts: learn,
    learnClasses: learn,
    learnStorage: learn,
  };
}

/**
 * Maximum requests for missing nodes of one trie. Removing a leaf moves its neighbour up, so the neighbour's
 * node must be known; one request covers all of them, and more than this are never needed.
 */
const MAX_QUESTIONS = 4;

/**
 * Computes the state root after a block, from the proven part of the tries before it.
 *
 * @param witness - must have proven the paths to everything that `diff` changes
 * @throws {DifferenceFound} when a proof is incomplete or wrong
 */
export async function stateRootAfter(
  witness: IncrementalState,
  diff: StateDiff,
  { protocolVersion }: Pick<BlockHeader, "protocolVersion">,
): Promise<Felt> {
  const { contracts, contractsTrie, classesTrie } = witness.proven;
  const leaves: LeafUpdate[] = [];
  const addresses = new Set([
    ...diff.storageDiffs.keys(),
    ...diff.nonces.keys(),
    ...diff.deployedContracts.keys(),
    ...diff.replacedClasses.keys(),
  ]);
  for (const address of addresses) {
    const before = contracts.get(address) ?? absentContract(contractsTrie, address);
    const entries = diff.storageDiffs.get(address) ?? new Map<Felt, Felt>();
    const storageRoot = await updated(before.storage, entries, (keys) =>
      witness.learnStorage(address, keys),
    );
    const classHash =
      diff.replacedClasses.get(address) ?? diff.deployedContracts.get(address) ?? before.classHash;
    const nonce = diff.nonces.get(address) ?? before.nonce;
    leaves.push([address, contractLeaf(classHash, storageRoot, nonce)]);
  }
  const contractsRoot = await updated(contractsTrie, leaves, (keys) =>
    witness.learnContracts(keys),
  );
  const classes = new Map([...diff.declaredClasses, ...diff.migratedCompiledClasses]);
  const classesRoot = await updated(
    classesTrie,
    [...classes].map(([hash, compiled]): LeafUpdate => [hash, classLeaf(compiled)]),
    (keys) => witness.learnClasses(keys),
  );
  return stateRootHash(
    contractsRoot,
    classesRoot,
    protocolRules(protocolVersion).alwaysHashClasses,
  );
}

/** A contract of an empty state. In any other state every changed contract has been proven. */
function absentContract(contractsTrie: PartialTrie, address: Felt): ProvenContract {
  const name = hexFromFelt(address);
  if (contractsTrie.rootHash !== 0n) differ(`proof of contract ${name}`, "a proof", "none");
  const storage = new PartialTrie(`storage of ${name}`, 0n, PEDERSEN);
  return { classHash: 0n, nonce: 0n, storage };
}

async function updated(
  trie: PartialTrie,
  updates: Iterable<LeafUpdate>,
  learn: (keys: readonly Felt[]) => Promise<void>,
): Promise<Felt> {
  const list = [...updates];
  for (let question = 0; ; question++) {
    const result = trie.update(list);
    if (result.kind === "updated") return result.rootHash;
    if (question >= MAX_QUESTIONS) {
      differ("proof of the neighbours of removed leaves", "their nodes", "others");
    }
    await learn(result.keys);
  }
}

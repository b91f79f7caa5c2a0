import { compareFelts, bytesFromFelt, type Felt } from "#base/primitives/index.ts";
import { bitAt } from "./bits.ts";
import { PEDERSEN, POSEIDON, type TrieHash } from "./hash-function.ts";
import { HashRounds } from "./hashing.ts";
import { BinaryNode, type RowEdge } from "./node.ts";
import { edgeMatches, loadEdges, loadRootEdge, openEdge } from "./open.ts";
import { resolveHash } from "./resolve.ts";
import { CLASSES, CONTRACTS, STATE_TRIE_HEIGHT, type StateChanges } from "./state-tries.ts";
import type { TrieNodeSource, TrieReader, TrieRoot } from "./store.ts";

/**
 * Reads exactly the rows that {@link applyStateDiff} would read for these changes, if each changed its leaf.
 * Fills the caches of `tries`, if any, with these rows and the hashes of sibling nodes.
 *
 * @throws {StorageError} when a row is missing or damaged
 */
export function visitStateDiff(tries: TrieReader, diff: StateChanges): void {
  const contracts = new Set([
    ...diff.nonces.keys(),
    ...diff.deployedContracts.keys(),
    ...diff.replacedClasses.keys(),
  ]);
  const pedersen = new Visit(tries, PEDERSEN);
  for (const [contractAddress, entries] of diff.storageDiffs) {
    if (entries.size === 0) continue;
    contracts.add(contractAddress);
    pedersen.keys(tries.root({ kind: "storage", contractAddress }), entries.keys());
  }
  pedersen.keys(tries.root(CONTRACTS), contracts);
  pedersen.finish();
  const classes = new Set([...diff.declaredClasses.keys(), ...diff.migratedCompiledClasses.keys()]);
  const poseidon = new Visit(tries, POSEIDON);
  poseidon.keys(tries.root(CLASSES), classes);
  poseidon.finish();
}

/** Visits paths through tries with the same hash function. */
class Visit {
  readonly #source: TrieNodeSource;
  readonly #rounds: HashRounds;

  constructor(source: TrieNodeSource, hash: TrieHash) {
    this.#source = source;
    this.#rounds = new HashRounds(hash, source.hashes);
  }

  keys(root: TrieRoot | undefined, keys: Iterable<Felt>): void {
    const wanted = [...keys].sort(compareFelts).map(bytesFromFelt);
    const [first] = wanted;
    if (root === undefined || first === undefined) return;
    const edge = loadRootEdge(this.#source, root, STATE_TRIE_HEIGHT);
    if (edge !== null) this.#edge(edge, openEdge(edge, first, 0, -1), wanted);
    else this.#node(new BinaryNode(STATE_TRIE_HEIGHT, first, 0, root.id, 0), wanted);
  }

  /** Computes the hashes of sibling nodes that are not stored. */
  finish(): void {
    this.#rounds.run();
  }

  #edge(edge: RowEdge, child: BinaryNode, wanted: readonly Uint8Array[]): void {
    const below =
      edge.topHeight === edge.height ? wanted : wanted.filter((key) => edgeMatches(edge, key, 0));
    if (below.length > 0) this.#node(child, below);
    else resolveHash(this.#source, child, this.#rounds);
  }

  /** @param wanted - ascending keys below the node */
  #node(node: BinaryNode, wanted: readonly Uint8Array[]): void {
    const { id, height, key, keyAt } = node;
    if (height === 0) return;
    const [left, right] = loadEdges(this.#source, id, height);
    const weight = height - 1;
    const first = wanted.findIndex((one) => bitAt(one, 0, weight) === 1);
    const middle = first === -1 ? wanted.length : first;
    this.#edge(left, openEdge(left, key, keyAt, 0), wanted.slice(0, middle));
    this.#edge(right, openEdge(right, key, keyAt, 1), wanted.slice(middle));
  }
}

import { compareFelts, bytesFromFelt, type Felt } from "#base/primitives/index.ts";
import { bitAt } from "./bits.ts";
import { BinaryNode, type Edge } from "./node.ts";
import { edgeMatches, loadChildren, loadRootEdge, openEdge } from "./open.ts";
import { CLASSES, CONTRACTS, STATE_TRIE_HEIGHT, type StateChanges } from "./state-tries.ts";
import type { TrieNodeSource, TrieReader, TrieRoot } from "./store.ts";

/**
 * Reads every row that {@link applyStateDiff} would read for these changes, and nothing else: where
 * `tries` has a cache, the rows are in it afterwards.
 *
 * @throws {StorageError} when a row is missing or damaged
 */
export function visitStateDiff(tries: TrieReader, diff: StateChanges): void {
  const contracts = new Set([
    ...diff.nonces.keys(),
    ...diff.deployedContracts.keys(),
    ...diff.replacedClasses.keys(),
  ]);
  for (const [contractAddress, entries] of diff.storageDiffs) {
    if (entries.size === 0) continue;
    contracts.add(contractAddress);
    visitKeys(tries, tries.root({ kind: "storage", contractAddress }), entries.keys());
  }
  visitKeys(tries, tries.root(CONTRACTS), contracts);
  const classes = new Set([...diff.declaredClasses.keys(), ...diff.migratedCompiledClasses.keys()]);
  visitKeys(tries, tries.root(CLASSES), classes);
}

function visitKeys(source: TrieNodeSource, root: TrieRoot | undefined, keys: Iterable<Felt>): void {
  const wanted = [...keys].sort(compareFelts).map(bytesFromFelt);
  const [first] = wanted;
  if (root === undefined || first === undefined) return;
  const edge = loadRootEdge(source, root, STATE_TRIE_HEIGHT);
  if (edge !== null) visitEdge(source, edge, -1, wanted);
  else visitNode(source, new BinaryNode(STATE_TRIE_HEIGHT, first, 0, first, 0, root.id), wanted);
}

function visitEdge(
  source: TrieNodeSource,
  edge: Edge,
  side: number,
  wanted: readonly Uint8Array[],
): void {
  const [first] = wanted;
  if (first === undefined || edge.height === 0) return;
  const below =
    edge.topHeight === edge.height ? wanted : wanted.filter((key) => edgeMatches(edge, key, 0));
  if (below.length > 0) visitNode(source, openEdge(edge, first, 0, side), below);
}

/** @param wanted - ascending keys below the node */
function visitNode(source: TrieNodeSource, node: BinaryNode, wanted: readonly Uint8Array[]): void {
  const [left, right] = loadChildren(source, node.id, node.height);
  const weight = node.height - 1;
  const middle = wanted.findIndex((key) => bitAt(key, 0, weight) === 1);
  if (middle === -1) return visitEdge(source, left, 0, wanted);
  visitEdge(source, left, 0, wanted.slice(0, middle));
  visitEdge(source, right, 1, wanted.slice(middle));
}

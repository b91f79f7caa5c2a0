import { compareFelts, bytesFromFelt, type Felt } from "#base/primitives/index.ts";
import { bitAt } from "./bits.ts";
import { Bottom, type Link } from "./node.ts";
import { edgeMatches, loadChildren, loadRootEdge, openLink } from "./open.ts";
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
  if (edge !== null) visitLink(source, edge, -1, wanted);
  else visitNode(source, new Bottom(STATE_TRIE_HEIGHT, first, 0, first, 0, root.id), wanted);
}

function visitLink(
  source: TrieNodeSource,
  link: Link,
  side: number,
  wanted: readonly Uint8Array[],
): void {
  const [first] = wanted;
  if (first === undefined || link.height === 0) return;
  const below =
    link.topHeight === link.height ? wanted : wanted.filter((key) => edgeMatches(link, key, 0));
  if (below.length > 0) visitNode(source, openLink(link, first, 0, side), below);
}

/** @param wanted - ascending keys below the node */
function visitNode(source: TrieNodeSource, bottom: Bottom, wanted: readonly Uint8Array[]): void {
  const [left, right] = loadChildren(source, bottom.id, bottom.height);
  const weight = bottom.height - 1;
  const middle = wanted.findIndex((key) => bitAt(key, 0, weight) === 1);
  if (middle === -1) return visitLink(source, left, 0, wanted);
  visitLink(source, left, 0, wanted.slice(0, middle));
  visitLink(source, right, 1, wanted.slice(middle));
}

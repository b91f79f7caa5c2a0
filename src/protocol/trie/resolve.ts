import type { HashRounds } from "./hashing.ts";
import { type BinaryNode, UNRESOLVED } from "./node.ts";
import { loadRow, openEdge } from "./open.ts";
import { hashPosition, readEdges } from "./row.ts";
import type { TrieNodeSource } from "./store.ts";

/**
 * Sets the hash of a stored node from the cache or its row, or schedules it to be computed from rows below;
 * it is then known after the rounds ran. Leaves and new nodes are unchanged.
 *
 * @throws {StorageError} when a row is missing or damaged
 */
export function resolveHash(source: TrieNodeSource, node: BinaryNode, rounds: HashRounds): void {
  if (node.rank !== UNRESOLVED || rounds.fill(node)) return;
  const { id, height, key, keyAt } = node;
  const row = loadRow(source, id);
  const at = hashPosition(row, id);
  if (at > 0) {
    rounds.found(node, row, at);
    return;
  }
  const [left, right] = readEdges(row, id, height);
  const leftChild = openEdge(left, key, keyAt, 0);
  const rightChild = openEdge(right, key, keyAt, 1);
  resolveHash(source, leftChild, rounds);
  resolveHash(source, rightChild, rounds);
  rounds.again(node, [
    rounds.edge(leftChild, left.topHeight),
    rounds.edge(rightChild, right.topHeight),
  ]);
}

import type { Felt } from "#base/primitives/index.ts";
import { protocolRules } from "#protocol/versions/index.ts";
import {
  classLeaf,
  contractLeaf,
  leafAt,
  PEDERSEN,
  POSEIDON,
  replacedRows,
  STATE_TRIE_HEIGHT,
  stateRootHash,
  type TrieHash,
  type TrieName,
  verifyTrie,
} from "#protocol/trie/index.ts";
import type { IntegrityReader, TrieRootRow } from "#io/storage/index.ts";
import type { BlockContents } from "./block-contents.ts";
import { compiledChanges } from "./check-state.ts";
import { differ, reading, readingSteps, requireSame } from "./difference.ts";

/**
 * Greatest node id of the tries before the checked block, and whether those tries are still stored.
 */
export interface TriesBefore {
  /** Greatest node id so far; greater ids belong to the block. */
  readonly lastNodeId: number;
  /** Whether those tries are kept; only then the nodes removed by the block can be checked. */
  readonly areKept: boolean;
}

/** Rows of a block in the trie tables. */
export interface TrieRowCounts {
  roots: number;
  removed: number;
}

/** Name of the global trie of contracts. */
export const CONTRACTS: TrieName = { kind: "contracts", contractAddress: 0n };
/** Name of the global trie of Sierra classes. */
export const CLASSES: TrieName = { kind: "classes", contractAddress: 0n };

/** A trie that a block may have changed, with the leaves that it set; 0 for a removed leaf. */
interface ChangedTrie {
  readonly name: TrieName;
  readonly row: TrieRootRow | undefined;
  readonly leaves: ReadonlyMap<Felt, Felt>;
}

/**
 * Checks a block's changes to the tries: the header's state root, the leaves of its state diff, the hashes of
 * all nodes that it added, and the set of nodes that it removed.
 *
 * @param isStateKept - whether the state after the block can be read
 * @returns counts of its rows; `undefined` when the tries before it are not kept
 * @throws {StorageError} STORAGE_DIFFERENCE
 */
export function* checkTries(
  reader: IntegrityReader,
  contents: BlockContents,
  before: TriesBefore,
  isStateKept: boolean,
): Generator<void, TrieRowCounts | undefined> {
  const { number, header, row } = contents;
  checkStateRoot(reader, contents);
  const boundary = new Set<number>();
  let added = 0;
  const tries = changedTries(reader, contents, isStateKept);
  for (const trie of tries) added += yield* checkChanged(reader, contents, trie, before, boundary);
  const greatest = tries.reduce(
    (most, trie) => Math.max(most, trie.row?.nodeId ?? 0),
    before.lastNodeId,
  );
  if (row.lastNodeId < greatest) {
    differ("block", "last_node_id", `${row.lastNodeId} is below ${greatest}, a node of the block`);
  }
  if (!before.areKept) return undefined;
  requireSame("block", "last_node_id", before.lastNodeId + added, row.lastNodeId);
  const removed = reading("trie_removed", "ids", () => reader.state.removed(number));
  const tellers = tries.filter((trie) => trie.row !== undefined);
  const replaced = reading("trie_page", "nodes", () =>
    tellers.flatMap(({ name }) => {
      const source = reader.chain.trieAt(header.number - 1);
      const root = source.root(name);
      if (root === undefined) return [];
      const isKept = (id: number): boolean => boundary.has(id);
      return replacedRows(source, root, STATE_TRIE_HEIGHT, isKept, removed.length);
    }),
  ).sort((a, b) => a - b);
  const isSame = replaced.length === removed.length && replaced.every((id, i) => id === removed[i]);
  if (!isSame) differ("trie_removed", "ids", "they are not the nodes that the block replaced");
  yield;
  return { roots: tellers.length, removed: removed.length > 0 ? 1 : 0 };
}

/**
 * Checks that the stored roots hash to the header's state root.
 *
 * @throws {StorageError} STORAGE_DIFFERENCE
 */
export function checkStateRoot(
  { chain, state }: IntegrityReader,
  { number, header }: BlockContents,
): void {
  const hashOf = (name: TrieName): Felt => {
    const row = state.root(name.kind, 0, number);
    return row?.hash ?? chain.trieAt(number).root(name)?.hash ?? 0n;
  };
  const { alwaysHashClasses } = protocolRules(header.protocolVersion);
  const found = stateRootHash(hashOf(CONTRACTS), hashOf(CLASSES), alwaysHashClasses);
  requireSame("trie_root", "hash (the header has another state root)", header.newRoot, found);
}

/** Contracts trie first: its leaves determine the expected roots of the storage tries. */
function changedTries(
  { chain, state }: IntegrityReader,
  { number, diff }: BlockContents,
  isStateKept: boolean,
): ChangedTrie[] {
  const touched = new Set([
    ...diff.storageDiffs.keys(),
    ...diff.nonces.keys(),
    ...diff.deployedContracts.keys(),
    ...diff.replacedClasses.keys(),
  ]);
  const after = chain.stateAt(number);
  const tries = chain.trieAt(number);
  const contractLeaves = new Map<Felt, Felt>();
  for (const contractAddress of isStateKept ? touched : []) {
    const storageRoot = tries.root({ kind: "storage", contractAddress })?.hash ?? 0n;
    const classHash = after.classHashAt(contractAddress);
    const nonce = after.nonceAt(contractAddress);
    contractLeaves.set(contractAddress, contractLeaf(classHash, storageRoot, nonce));
  }
  const classLeaves = [...compiledChanges(diff)].map(
    ([classHash, compiled]) => [classHash, classLeaf(compiled)] as const,
  );
  return [
    { name: CONTRACTS, row: state.root("contracts", 0, number), leaves: contractLeaves },
    { name: CLASSES, row: state.root("classes", 0, number), leaves: new Map(classLeaves) },
    ...[...diff.storageDiffs].map(([contractAddress, leaves]) => ({
      name: { kind: "storage", contractAddress } as const,
      row: state.root("storage", state.contractId(contractAddress) ?? 0, number),
      leaves,
    })),
  ];
}

function* checkChanged(
  { chain }: IntegrityReader,
  { number }: BlockContents,
  { name, row, leaves }: ChangedTrie,
  before: TriesBefore,
  boundary: Set<number>,
): Generator<void, number> {
  const source = chain.trieAt(number);
  const seen = new Set<Felt>();
  const onLeaf = (key: Felt, value: Felt): void => {
    const expected = leaves.get(key);
    if (expected === undefined) return;
    requireLeaf(name, key, expected, value);
    seen.add(key);
  };
  let added = 0;
  if (row !== undefined && row.nodeId !== 0) {
    const { nodeId: id, hash } = row;
    if (id <= before.lastNodeId) {
      differ("trie_root", "node_id", `${id} is no node that the block added`);
    }
    const walk = {
      source,
      root: { id, hash },
      height: STATE_TRIE_HEIGHT,
      hash: hashFunctionOf(name),
      knownUpTo: before.lastNodeId,
      onLeaf,
      onKnown: (known: number) => boundary.add(known),
    };
    added = yield* readingSteps("trie_page", "nodes", verifyTrie(walk));
  } else if (row !== undefined) requireSame("trie_root", "hash of an empty trie", 0n, row.hash);
  const root = reading("trie_root", "hash", () => source.root(name));
  for (const [key, expected] of leaves) {
    if (seen.has(key)) continue;
    const found = reading("trie_page", "nodes", () => leafAt(source, root, STATE_TRIE_HEIGHT, key));
    requireLeaf(name, key, expected, found);
  }
  return added;
}

/**
 * Compares a leaf. A wrong contract leaf means a wrong storage root: class and nonce were compared before.
 */
function requireLeaf({ kind, contractAddress }: TrieName, key: Felt, expected: Felt, found: Felt) {
  if (expected === found) return;
  const hex = (value: Felt): string => `0x${value.toString(16)}`;
  if (kind === "contracts") {
    const what = "class hash, storage root or nonce do not match the contract's leaf";
    differ("trie_root", `hash of the storage of ${hex(key)}`, what);
  }
  const of = kind === "classes" ? "class" : `storage of ${hex(contractAddress)}`;
  requireSame("trie_page", `leaf of ${of} at ${hex(key)}`, expected, found);
}

/** Returns the hash function of a trie. */
export function hashFunctionOf({ kind }: TrieName): TrieHash {
  return kind === "classes" ? POSEIDON : PEDERSEN;
}

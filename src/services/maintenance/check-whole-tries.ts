import type { Felt } from "#base/primitives/index.ts";
import {
  classLeaf,
  contractLeaf,
  STATE_TRIE_HEIGHT,
  type TrieName,
  verifyTrie,
} from "#protocol/trie/index.ts";
import type { IntegrityReader, SetValueCounts } from "#io/storage/index.ts";
import { CLASSES, CONTRACTS, hashFunctionOf } from "./check-tries.ts";
import { differ, reading, readingSteps, requireSame } from "./difference.ts";

/**
 * Checks all tries as of the oldest block whose tries or state are kept: every node, and every leaf if the
 * state is kept.
 *
 * @throws {StorageError} STORAGE_DIFFERENCE
 */
export function* checkWholeTries(
  reader: IntegrityReader,
  number: number,
  isStateKept: boolean,
): Generator<void, void> {
  const state = reader.chain.stateAt(number);
  const found: [Felt, Felt][] = [];
  const set = {
    contract_storage: 0,
    contract_nonce: 0,
    contract_class: 0,
    compiled_class_hash: 0,
  } satisfies SetValueCounts;
  const contracts = walk(reader, number, CONTRACTS, (address, leaf) => found.push([address, leaf]));
  for (let isDone = false; !isDone;) {
    isDone = contracts.next().done === true;
    for (const [address, leaf] of found.splice(0)) {
      const name = { kind: "storage", contractAddress: address } as const;
      if (isStateKept) {
        const root = reader.chain.trieAt(number).root(name)?.hash ?? 0n;
        const [classHash, nonce] = [state.classHashAt(address), state.nonceAt(address)];
        if (classHash !== 0n) set.contract_class++;
        if (nonce !== 0n) set.contract_nonce++;
        if (contractLeaf(classHash, root, nonce) !== leaf) {
          differ(
            "trie_root",
            `hash of the storage of ${hex(address)}`,
            "it does not match the contract's leaf",
          );
        }
      }
      yield* walk(reader, number, name, (key, value) => {
        if (!isStateKept) return;
        const field = `value of ${hex(address)} at ${hex(key)}`;
        requireSame("contract_storage", field, value, state.storageAt(address, key));
        set.contract_storage++;
      });
      yield;
    }
    yield;
  }
  yield* walk(reader, number, CLASSES, (classHash, leaf) => {
    if (!isStateKept) return;
    const expected = classLeaf(state.compiledClassHashOf(classHash));
    requireSame("trie_page", `leaf of class ${hex(classHash)}`, expected, leaf);
    set.compiled_class_hash++;
  });
  if (isStateKept) requireNoMore(reader, number, set);
}

/** Detects values without a leaf, which no block wrote. */
function requireNoMore(reader: IntegrityReader, number: number, expected: SetValueCounts): void {
  const found = reader.countSetValues(number);
  for (const [table, count] of Object.entries(expected)) {
    const has = found[table as keyof SetValueCounts];
    if (has !== count) differ(table, "number of values", `the tries have ${count}, not ${has}`);
  }
}

/** Verifies all nodes of a trie. */
function* walk(
  { chain }: IntegrityReader,
  number: number,
  name: TrieName,
  onLeaf: (key: Felt, value: Felt) => void,
): Generator<void, void> {
  const source = chain.trieAt(number);
  const root = reading("trie_root", "hash", () => source.root(name));
  if (root === undefined) return;
  const steps = verifyTrie({
    source,
    root,
    height: STATE_TRIE_HEIGHT,
    hash: hashFunctionOf(name),
    knownUpTo: 0,
    onLeaf,
  });
  yield* readingSteps("trie_page", "nodes", steps);
}

function hex(value: Felt): string {
  return `0x${value.toString(16)}`;
}

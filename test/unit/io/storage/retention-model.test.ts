import { expect, test } from "bun:test";
import fc from "fast-check";
import { EMPTY_STATE_DIFF, type StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ChainWriterOptions } from "#io/storage/index.ts";
import { PEDERSEN, proveKeys, STATE_TRIE_HEIGHT } from "#protocol/trie/index.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { naiveStateRoot, naiveStorageRoot, StateHistory } from "#test/helpers/state-history.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { storageErrorOf } from "#test/helpers/chain-folder.ts";
import { verifyProof } from "#test/helpers/verify-proof.ts";

/**
 * Few, so that blocks overlap; of several lengths, so that blob order differs from numeric order.
 */
const NAMES: readonly Felt[] = [0n, 1n, 0x1_0000n, 0x1_0001n, 2n ** 250n - 300n, 2n ** 250n + 7n];

const names = fc.constantFrom(...NAMES);
const values = fc.oneof(fc.bigInt({ min: 0n, max: 3n }), fc.bigInt({ min: 0n, max: 2n ** 250n }));
const maps = fc.array(fc.tuple(names, values), { maxLength: 3 }).map((entries) => new Map(entries));

const diffs: fc.Arbitrary<StateDiff> = fc.record({
  storageDiffs: fc
    .array(fc.tuple(names, maps), { maxLength: 3 })
    .map((entries) => new Map(entries)),
  nonces: maps,
  deployedContracts: maps,
  replacedClasses: fc.constant(EMPTY_STATE_DIFF.replacedClasses),
  declaredClasses: maps,
  deprecatedDeclaredClasses: fc.constant(EMPTY_STATE_DIFF.deprecatedDeclaredClasses),
  migratedCompiledClasses: maps,
});

const retentions: fc.Arbitrary<ChainWriterOptions> = fc.record({
  keepProofs: fc.constantFrom<(number | "archive")[]>(1, 2, 5, 20, "archive"),
  pruneHistory: fc.constantFrom<(number | "archive")[]>(16, 18, "archive"),
  keepUnsettledProofs: fc.boolean(),
});

type Step =
  | { readonly kind: "commit"; readonly diffs: readonly StateDiff[] }
  | { readonly kind: "revert"; readonly depth: number }
  | { readonly kind: "settle"; readonly depth: number }
  | { readonly kind: "prune" }
  | { readonly kind: "begin anew" }
  | { readonly kind: "reopen"; readonly options: ChainWriterOptions };

const depth = fc.nat({ max: 12 });
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("commit" as const),
      diffs: fc.array(diffs, { minLength: 1, maxLength: 9 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("revert" as const), depth }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("settle" as const), depth }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("prune" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("begin anew" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("reopen" as const), options: retentions }),
  },
);

async function run(history: StateHistory, step: Step): Promise<void> {
  if (step.kind === "commit") for (const diff of step.diffs) history.commit(diff);
  else if (step.kind === "prune") history.writer.pruneMore();
  else if (step.kind === "begin anew") history.revertTo(Math.min(0, history.newest));
  else if (step.kind === "reopen") await history.reopen(step.options);
  else {
    const target = history.newest - step.depth;
    if (step.kind === "settle") history.writer.setL1Accepted(Math.max(0, target));
    else if (target > 0 && target < history.reader.oldestStateBlock()) {
      expect(storageErrorOf(() => history.writer.revertTo(target))).toBe("STORAGE_PRUNED");
    } else history.revertTo(Math.max(-1, target));
  }
}

function requireStates({ states, reader }: StateHistory): void {
  const oldest = reader.oldestStateBlock();
  expect(reader.latestNumber() ?? -1).toBe(states.length - 1);
  for (const [number, expected] of states.entries()) {
    if (number < oldest) continue;
    const state = reader.stateAt(number);
    for (const name of NAMES) {
      for (const key of NAMES) {
        expect(state.storageAt(name, key)).toBe(expected.storage.get(name)?.get(key) ?? 0n);
      }
      expect(state.nonceAt(name)).toBe(expected.nonces.get(name) ?? 0n);
      expect(state.classHashAt(name)).toBe(expected.classHashes.get(name) ?? 0n);
      expect(state.compiledClassHashOf(name)).toBe(expected.compiled.get(name) ?? 0n);
    }
  }
}

function requireTries({ states, reader }: StateHistory): void {
  const oldest = reader.oldestTrieBlock();
  for (const [number, expected] of states.entries()) {
    if (number < oldest) continue;
    expect(reader.header(number)?.newRoot).toBe(naiveStateRoot(expected));
    const tries = reader.trieAt(number);
    for (const contractAddress of NAMES) {
      const root = tries.root({ kind: "storage", contractAddress });
      const rootHash = naiveStorageRoot(expected, contractAddress);
      expect(root?.hash ?? 0n).toBe(rootHash);
      const proof = proveKeys(tries, root, STATE_TRIE_HEIGHT, NAMES, PEDERSEN);
      for (const key of NAMES) {
        const value = expected.storage.get(contractAddress)?.get(key) ?? 0n;
        expect(verifyProof(rootHash, STATE_TRIE_HEIGHT, PEDERSEN, key, proof)).toEqual(
          value === 0n ? { kind: "absent" } : { kind: "present", value },
        );
      }
    }
  }
}

const DIFFS = Array.from({ length: 9 }, (_, i): StateDiff => ({
  ...EMPTY_STATE_DIFF,
  nonces: new Map([[1n, BigInt(i + 1)]]),
  storageDiffs: new Map([[1n, new Map([[BigInt(i % 3), BigInt(i)]])]]),
}));
const COMMITS = Array.from({ length: 3 }, (): Step => ({ kind: "commit", diffs: DIFFS }));

/** Prunes states, rebuilds tries, reverts to block 0 and prunes states again. */
const EXAMPLE: [ChainWriterOptions, Step[]] = [
  { keepProofs: 1, pruneHistory: 16, keepUnsettledProofs: false },
  [...COMMITS, { kind: "revert", depth: 5 }, { kind: "begin anew" }, ...COMMITS],
];

test("retained data reads and proves as if nothing had been pruned, reverted or reopened", async () => {
  let rebuilt = 0;
  let prunedStates = 0;
  let restored = 0;
  await assertProperty(
    fc.asyncProperty(
      retentions,
      fc.array(steps, { minLength: 4, maxLength: 14 }),
      async (options, sequence) => {
        using folder = temporaryFolder();
        using history = await StateHistory.open(folder.file("chain.db"), options);
        for (const step of sequence) {
          const oldestTrie = history.reader.oldestTrieBlock();
          const oldestState = history.reader.oldestStateBlock();
          await run(history, step);
          if (oldestState > 0 && history.newest === 0) restored++;
          if (oldestTrie > 0 && history.reader.oldestTrieBlock() < oldestTrie) rebuilt++;
        }
        if (history.reader.oldestStateBlock() > 0) prunedStates++;
        requireStates(history);
        requireTries(history);
      },
    ),
    { numRuns: 40, minRuns: 10, examples: [EXAMPLE] },
  );
  // The property is only meaningful if these cases occurred.
  expect(rebuilt).toBeGreaterThan(0);
  expect(prunedStates).toBeGreaterThan(0);
  expect(restored).toBeGreaterThan(0);
});

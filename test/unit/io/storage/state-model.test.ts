import { expect, test } from "bun:test";
import fc from "fast-check";
import { EMPTY_STATE_DIFF, type StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { createChainReader, createChainWriter, openDatabase } from "#io/storage/index.ts";
import { blockCommit } from "#test/helpers/blocks.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

/** Few, so that blocks overlap; two need all 32 bytes. */
const NAMES: readonly Felt[] = [0n, 1n, 0x1_0000n, 2n ** 251n - 300n, 2n ** 250n + 7n];

const names = fc.constantFrom(...NAMES);
const values = fc.oneof(fc.bigInt({ min: 0n, max: 3n }), fc.bigInt({ min: 0n, max: 2n ** 251n }));
const maps = fc.array(fc.tuple(names, values), { maxLength: 3 }).map((entries) => new Map(entries));

const diffs: fc.Arbitrary<StateDiff> = fc.record({
  storageDiffs: fc
    .array(fc.tuple(names, maps), { maxLength: 3 })
    .map((entries) => new Map(entries)),
  nonces: maps,
  deployedContracts: maps,
  replacedClasses: maps,
  declaredClasses: maps,
  deprecatedDeclaredClasses: fc.constant(EMPTY_STATE_DIFF.deprecatedDeclaredClasses),
  migratedCompiledClasses: maps,
});

type Step =
  | { readonly kind: "commit"; readonly diff: StateDiff }
  | { readonly kind: "revert"; readonly depth: number };

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("commit" as const), diff: diffs }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("revert" as const), depth: fc.nat({ max: 4 }) }),
  },
);

/** A state as plain maps; `storage` is keyed by `address,key`. */
interface ModelState {
  readonly storage: Map<string, Felt>;
  readonly nonces: Map<Felt, Felt>;
  readonly classHashes: Map<Felt, Felt>;
  readonly compiled: Map<Felt, Felt>;
}

function applied(state: ModelState | undefined, diff: StateDiff): ModelState {
  const storage = new Map(state?.storage);
  for (const [address, entries] of diff.storageDiffs) {
    for (const [key, value] of entries) storage.set(`${address},${key}`, value);
  }
  const merged = (base: ReadonlyMap<Felt, Felt> | undefined, ...maps: ReadonlyMap<Felt, Felt>[]) =>
    new Map([...(base ?? []), ...maps.flatMap((map) => [...map])]);
  return {
    storage,
    nonces: merged(state?.nonces, diff.nonces),
    classHashes: merged(state?.classHashes, diff.deployedContracts, diff.replacedClasses),
    compiled: merged(state?.compiled, diff.declaredClasses, diff.migratedCompiledClasses),
  };
}

test("every historic state reads as if it were stored completely, also after reverting", async () => {
  using folder = temporaryFolder();
  const options = { path: folder.file("chain.db"), chainId: "SN_TEST" } as const;
  const writing = await openDatabase({ ...options, mode: "writer", durability: "normal" });
  const reading = await openDatabase({ ...options, mode: "reader", durability: "normal" });
  const writer = createChainWriter(writing);
  const reader = createChainReader(reading);
  assertProperty(
    fc.property(fc.array(steps, { minLength: 1, maxLength: 12 }), (sequence) => {
      writer.revertTo(-1);
      const model: ModelState[] = [];
      for (const step of sequence) {
        if (step.kind === "commit") {
          writer.commitBlock(blockCommit(model.length, { stateDiff: step.diff }));
          model.push(applied(model.at(-1), step.diff));
        } else {
          model.length = Math.max(0, model.length - step.depth);
          writer.revertTo(model.length - 1);
        }
      }
      expect(reader.latestNumber() ?? -1).toBe(model.length - 1);
      model.forEach((expected, number) => {
        const state = reader.stateAt(number);
        for (const name of NAMES) {
          for (const key of NAMES) {
            const value = expected.storage.get(`${name},${key}`) ?? 0n;
            expect(state.storageAt(name, key)).toBe(value);
          }
          expect(state.nonceAt(name)).toBe(expected.nonces.get(name) ?? 0n);
          expect(state.classHashAt(name)).toBe(expected.classHashes.get(name) ?? 0n);
          expect(state.compiledClassHashOf(name)).toBe(expected.compiled.get(name) ?? 0n);
        }
      });
    }),
    { numRuns: 60 },
  );
  reading.close();
  writing.close();
});

test("before block 0 everything is 0", async () => {
  using folder = temporaryFolder();
  const path = folder.file("chain.db");
  const handle = await openDatabase({ path, chainId: "T", mode: "writer", durability: "normal" });
  const diff = { ...EMPTY_STATE_DIFF, nonces: new Map([[1n, 1n]]) };
  createChainWriter(handle).commitBlock(blockCommit(0, { stateDiff: diff }));
  const reader = createChainReader(handle);
  expect(reader.stateAt(-1).nonceAt(1n)).toBe(0n);
  expect(reader.stateAt(0).nonceAt(1n)).toBe(1n);
  handle.close();
});

import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  type BundledClass,
  EMPTY_STATE_DIFF,
  type BlockInputs,
  type StateDiff,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  type ChainWriterOptions,
  openDatabase,
  openSnapshotReader,
  type StoredChainReader,
} from "#io/storage/index.ts";
import { PEDERSEN, proveKeys, STATE_TRIE_HEIGHT } from "#protocol/trie/index.ts";
import { bodyOf, storageErrorOf } from "#test/helpers/chain-folder.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { copyFrom, rowsOf } from "#test/helpers/snapshot-copy.ts";
import { StateHistory } from "#test/helpers/state-history.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

/** Few, so that blocks overlap; their lengths make blob order differ from numeric order. */
const NAMES: readonly Felt[] = [1n, 2n, 0x1_0000n, 0x1_0001n, 2n ** 250n - 300n, 2n ** 250n + 7n];
const KEYS: readonly Felt[] = [0n, ...NAMES];

/** Contract with storage but neither class nor nonce. */
const HASHES_CONTRACT = 1n;

const LEGACY = '{"abi":[],"entry_points_by_type":{},"program":{}}';

interface Block {
  readonly diff: StateDiff;
  readonly classes: readonly BundledClass[];
  readonly transactions: number;
  readonly messages: number;
}

interface Changes {
  readonly storage: readonly (readonly [Felt, Felt, Felt])[];
  readonly nonces: readonly (readonly [Felt, Felt])[];
  readonly deploy: readonly (readonly [Felt, number])[];
  readonly declare: readonly number[];
  readonly transactions: number;
  readonly messages: number;
}

const names = fc.constantFrom(...NAMES);
const values = fc.oneof(fc.bigInt({ min: 0n, max: 2n }), fc.bigInt({ min: 0n, max: 2n ** 250n }));
const changes: fc.Arbitrary<Changes> = fc.record({
  storage: fc.array(fc.tuple(names, fc.constantFrom(...KEYS), values), { maxLength: 6 }),
  nonces: fc.array(fc.tuple(names, values), { maxLength: 2 }),
  deploy: fc.array(fc.tuple(names, fc.nat({ max: 5 })), { maxLength: 2 }),
  declare: fc.array(fc.nat({ max: 5 }), { maxLength: 1 }),
  transactions: fc.nat({ max: 3 }),
  messages: fc.nat({ max: 2 }),
});

/** Hash of a class; even indexes are Sierra classes. */
const classHashOf = (index: number): Felt => (index % 3 === 0 ? 2n : 2n ** 240n) + BigInt(index);

function classOf(index: number): BundledClass {
  const classHash = classHashOf(index);
  if (index % 2 === 1) {
    return { classHash, contractClass: { kind: "legacy", json: LEGACY }, casmJson: null };
  }
  const entryPoints = { EXTERNAL: [], L1_HANDLER: [], CONSTRUCTOR: [] };
  const contractClass = {
    kind: "sierra",
    sierraProgram: [1n, 3n, 0n, BigInt(index)],
    contractClassVersion: "0.1.0",
    entryPoints,
    abi: "[]",
  } as const;
  return { classHash, contractClass, casmJson: `{"of":${index}}` };
}

/** Blocks in which contracts only use declared classes, and a second declaration migrates. */
function blocksOf(all: readonly Changes[]): Block[] {
  const declared = new Set<number>();
  return all.map(({ storage, nonces, deploy, declare, transactions, messages }, number) => {
    const storageDiffs = new Map<Felt, Map<Felt, Felt>>();
    for (const [address, key, value] of storage) {
      // The contract without a class never has a value of 0.
      const of = storageDiffs.get(address) ?? new Map<Felt, Felt>();
      storageDiffs.set(address, of.set(key, address === HASHES_CONTRACT ? value + 1n : value));
    }
    const added = declare.filter((index) => !declared.has(index));
    const again = declare.filter((index) => declared.has(index) && index % 2 === 0);
    for (const index of added) declared.add(index);
    const isContract = ([address]: readonly [Felt, unknown]) => address !== HASHES_CONTRACT;
    const diff: StateDiff = {
      ...EMPTY_STATE_DIFF,
      storageDiffs,
      nonces: new Map(nonces.filter(isContract)),
      deployedContracts: new Map(
        deploy
          .filter(isContract)
          .filter(([, index]) => declared.has(index))
          .map(([address, index]) => [address, classHashOf(index)]),
      ),
      declaredClasses: new Map(
        added.filter((index) => index % 2 === 0).map((index) => [classHashOf(index), 7n]),
      ),
      deprecatedDeclaredClasses: new Set(
        added.filter((index) => index % 2 === 1).map((index) => classHashOf(index)),
      ),
      migratedCompiledClasses: new Map(
        again.map((index) => [classHashOf(index), BigInt(number + 8)]),
      ),
    };
    return { diff, classes: added.map(classOf), transactions, messages };
  });
}

const nonceOf = (number: number, position: number): bigint =>
  BigInt(40 - number) * 9n + BigInt(position);

function inputsOf(number: number, { messages }: Block): BlockInputs {
  return {
    l1Messages: Array.from({ length: messages }, (_, position) => ({
      transactionHash: BigInt(number * 10 + position + 1),
      nonce: nonceOf(number, position),
      messageHash: 5n,
      l1TransactionHash: position === 0 ? BigInt(number + 1) : null,
      l1BlockNumber: null,
    })),
  };
}

function add(history: StateHistory, number: number, block: Block): void {
  history.commit(block.diff, {
    ...bodyOf(block.transactions, number * 10),
    classes: block.classes,
    inputs: inputsOf(number, block),
  });
}

/** Everything that can be read of a block. */
function readsOf(chain: StoredChainReader, number: number): unknown[] {
  const state = chain.stateAt(number);
  const tries = chain.trieAt(number);
  const proofs = [
    ...NAMES.map((contractAddress) => ({ kind: "storage", contractAddress }) as const),
    { kind: "contracts", contractAddress: 0n } as const,
    { kind: "classes", contractAddress: 0n } as const,
  ].map((name) => {
    const root = tries.root(name);
    const proof = proveKeys(tries, root, STATE_TRIE_HEIGHT, KEYS, PEDERSEN);
    return [root?.hash, proof];
  });
  const header = chain.header(number);
  return [
    header,
    chain.ancestorHeader(number),
    chain.numberByHash(header?.hash ?? 0n),
    chain.signature(number),
    chain.epoch(number),
    chain.inputs(number),
    chain.bundle(number),
    chain.bundleBytes(number),
    chain.stateDiff(number),
    chain.transactions(number),
    chain.receipts(number),
    chain.transactions(number).map(({ hash }) => chain.locate(hash)),
    NAMES.map((name) => [state.nonceAt(name), state.classHashAt(name)]),
    NAMES.map((name) => KEYS.map((key) => state.storageAt(name, key))),
    NAMES.map((name) => KEYS.map((key) => chain.lastStorageUpdate(name, key, number))),
    [0, 1, 2, 3, 4, 5].map((index) => state.compiledClassHashOf(classHashOf(index))),
    proofs,
  ];
}

/** Reads that are not tied to one block. */
function sharedReadsOf(chain: StoredChainReader, from: number, latest: number): unknown[] {
  const queries = [
    { addresses: [], keys: [] },
    ...chain
      .receipts(latest)
      .flatMap(({ events }) =>
        events.map(({ fromAddress }) => ({ addresses: [fromAddress], keys: [] })),
      ),
  ];
  const nonces = Array.from({ length: latest + 1 }, (_, number) => [
    nonceOf(number, 0),
    nonceOf(number, 1),
  ]).flat();
  return [
    chain.latestNumber(),
    chain.newestConsumedNonce(),
    nonces.map((nonce) => [chain.consumedL1Message(nonce), chain.firstConsumedFrom(nonce)]),
    nonces.map((_, i) => chain.messagesOfL1Transaction(BigInt(i))),
    chain.declaringBlocks(),
    [0, 1, 2, 3, 4, 5].map((index) => [
      chain.declaredClass(classHashOf(index)),
      chain.casm(classHashOf(index)),
    ]),
    queries.map((query) => [
      chain.nextEventBlock(query, from, latest),
      chain.nextEventBlock(query, from + 1, latest),
    ]),
  ];
}

function requireNothingBefore(chain: StoredChainReader, whole: StoredChainReader, first: number) {
  const state = chain.stateAt(first);
  const contract = NAMES.find((name) => state.classHashAt(name) !== 0n);
  for (let number = 0; number < first; number++) {
    const header = whole.header(number);
    expect(chain.header(number)).toBeUndefined();
    expect(chain.numberByHash(header?.hash ?? 0n)).toBeUndefined();
    expect(chain.ancestorHeader(number)).toEqual(number < first - 10 ? undefined : header);
    expect(chain.bundleBytes(number)).toBeUndefined();
    expect(chain.stateDiff(number)).toBeUndefined();
    expect(chain.transactions(number)).toEqual([]);
    for (const { hash } of whole.transactions(number)) expect(chain.locate(hash)).toBeUndefined();
    const unwritten = () => void chain.stateAt(number).storageAt(contract ?? 0n, 12n);
    if (contract !== undefined) expect(storageErrorOf(unwritten)).toBe("STORAGE_PRUNED");
  }
}

async function exported(history: StateHistory, path: string, number: number): Promise<unknown> {
  const { chainId } = history.handle.options;
  const reading = await openDatabase({ path, chainId, mode: "reader", durability: "normal" });
  const reader = openSnapshotReader(reading, number);
  try {
    return [rowsOf(reader, 2), reader.headers(), reader.bundleBytes(number)];
  } finally {
    reader.close();
    reading.close();
  }
}

test("a chain imported from a snapshot reads like the complete one from its first block on", async () => {
  let withAncestors = 0;
  let withMigration = 0;
  await assertProperty(
    fc.asyncProperty(
      fc.array(changes, { minLength: 1, maxLength: 26 }),
      fc.nat({ max: 15 }),
      fc.nat({ max: 3 }),
      fc.constantFrom<ChainWriterOptions>({}, { keepProofs: 1, pruneHistory: 16 }),
      fc.integer({ min: 1, max: 5 }),
      async (all, back, forward, retention, size) => {
        using folder = temporaryFolder();
        const wholePath = folder.file("whole.db");
        const path = folder.file("chain.db");
        using whole = await StateHistory.open(wholePath, retention);
        const blocks = blocksOf(all);
        for (const [number, block] of blocks.entries()) add(whole, number, block);
        const first = Math.max(0, whole.newest - back);
        const reading = await openDatabase({
          ...whole.handle.options,
          mode: "reader",
        });
        await copyFrom(reading, first, path, size);
        reading.close();
        using copy = await StateHistory.resume(path);
        for (let number = first + 1; number < blocks.length; number++) {
          const block = blocks[number];
          if (block !== undefined) add(copy, number, block);
        }
        const { reader } = copy;
        expect(reader.oldestBlock()).toBe(first);
        expect(reader.oldestStateBlock()).toBe(first);
        expect(reader.oldestTrieBlock()).toBe(first);
        const latest = whole.newest;
        // A pruned chain only has the tries of its newest block.
        for (let number = first; number <= latest; number++) {
          if (number < whole.reader.oldestTrieBlock()) continue;
          expect(readsOf(reader, number)).toEqual(readsOf(whole.reader, number));
        }
        expect(sharedReadsOf(reader, first, latest)).toEqual(
          sharedReadsOf(whole.reader, first, latest),
        );
        requireNothingBefore(reader, whole.reader, first);
        const next = Math.min(first + forward, latest);
        expect(await exported(copy, path, next)).toEqual(await exported(whole, wholePath, next));
        if (first > 0) {
          expect(storageErrorOf(() => copy.writer.revertTo(first - 1))).toBe("STORAGE_NO_OLDER");
          expect(storageErrorOf(() => copy.writer.revertTo(-1))).toBe("STORAGE_NO_OLDER");
          withAncestors++;
        }
        copy.revertTo(first);
        if (whole.reader.oldestStateBlock() <= first) {
          whole.revertTo(first);
          expect(readsOf(reader, first)).toEqual(readsOf(whole.reader, first));
          expect(sharedReadsOf(reader, first, first)).toEqual(
            sharedReadsOf(whole.reader, first, first),
          );
        }
        if (blocks.some(({ diff }) => diff.migratedCompiledClasses.size > 0)) withMigration++;
      },
    ),
    { numRuns: 60, minRuns: 6 },
  );
  // The property is only meaningful if these cases occurred.
  expect(withAncestors).toBeGreaterThan(0);
  expect(withMigration).toBeGreaterThan(0);
});

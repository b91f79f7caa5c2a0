import { afterAll, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync } from "node:fs";
import {
  CHAIN_SCHEMA_VERSION,
  createChainReader,
  createChainWriter,
  createIntegrityReader,
  type DatabaseHandle,
  openDatabase,
} from "#io/storage/index.ts";
import { PEDERSEN, proveKeys, STATE_TRIE_HEIGHT } from "#protocol/trie/index.ts";
import {
  dumpedVersions,
  DUMPED_CHAIN_ID,
  dumpOf,
  restoreDump,
  unpackedDump,
} from "#test/helpers/schema-dump.ts";
import { testBlockHash, testHeader } from "#test/helpers/blocks.ts";
import {
  CONTRACT,
  LEGACY_CLASS,
  LEGACY_HASH,
  SIERRA_CLASS,
  SIERRA_HASH,
} from "#test/helpers/sample-chain.ts";
import {
  addSampleBlock,
  CASM_JSON,
  L1_TRANSACTION,
  NODE_VALUE,
  OTHER_CONTRACT,
  SAMPLE_BLOCKS,
  samplePartsOf,
  writeSample,
} from "#test/helpers/schema-samples.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const CONTRACTS = { kind: "contracts", contractAddress: 0n } as const;
const NEWEST = SAMPLE_BLOCKS - 1;

function open(path: string): Promise<DatabaseHandle> {
  const options = { chainId: DUMPED_CHAIN_ID, mode: "writer", durability: "normal" } as const;
  return openDatabase({ ...options, path });
}

const kept = temporaryFolder();
afterAll(() => kept[Symbol.dispose]());

/** Path of a migrated database of a schema version, for tests to copy. */
async function migrated(version: number): Promise<string> {
  const path = kept.file(`${version}.db`);
  if (existsSync(path)) return path;
  restoreDump(version, path);
  const handle = await open(path);
  handle.connection.run("pragma wal_checkpoint(truncate)");
  handle.close();
  return path;
}

/** Runs work on a database of a schema version after its migration. */
async function withDump(version: number, work: (handle: DatabaseHandle) => unknown): Promise<void> {
  using folder = temporaryFolder();
  copyFileSync(await migrated(version), folder.file("chain.db"));
  const handle = await open(folder.file("chain.db"));
  try {
    await work(handle);
  } finally {
    handle.close();
  }
}

function rowsOf({ connection }: DatabaseHandle): string[] {
  return unpackedDump(dumpOf(connection))
    .split("\n")
    .filter((line) => line.startsWith("insert") && !line.includes('"kysely_migration"'));
}

let fresh: readonly string[] | undefined;

/** Rows of the sample in a database of the current schema. */
async function freshRows(): Promise<readonly string[]> {
  if (fresh !== undefined) return fresh;
  const handle = await open(kept.file("fresh.db"));
  writeSample(handle);
  fresh = rowsOf(handle);
  handle.close();
  return fresh;
}

test("every schema version has a dump", () => {
  const expected = Array.from({ length: CHAIN_SCHEMA_VERSION }, (_, i) => i + 1);
  expect(dumpedVersions()).toEqual(expected);
});

for (const version of dumpedVersions()) {
  describe(`a migrated database of schema version ${version}`, () => {
    test("has the current schema and passes SQLite's check", () =>
      withDump(version, async (handle) => {
        const integrity = createIntegrityReader(handle);
        expect(await integrity.schemaFinding()).toBeUndefined();
        expect(integrity.migrationFinding()).toBeUndefined();
        expect(integrity.sqliteFinding()).toBeUndefined();
      }));

    test("has the rows of a new database", () =>
      withDump(version, async (handle) => {
        expect(rowsOf(handle)).toEqual([...(await freshRows())]);
      }));

    test("reads its blocks, transactions, receipts and inputs", () =>
      withDump(version, (handle) => {
        const reader = createChainReader(handle);
        expect(reader.latestNumber()).toBe(NEWEST);
        expect(reader.l1AcceptedNumber()).toBe(1);
        for (let number = 0; number <= NEWEST; number++) {
          const parts = samplePartsOf(number);
          expect(reader.header(number)).toEqual(testHeader(number));
          expect(reader.signature(number)).toEqual({ r: 1n, s: 2n });
          expect(reader.numberByHash(testBlockHash(number))).toBe(number);
          const transactions = reader.transactions(number);
          expect(transactions.map(({ hash, transaction }) => ({ hash, transaction }))).toEqual([
            ...(parts.transactions ?? []),
          ]);
          expect(reader.receipts(number)).toEqual([...(parts.receipts ?? [])]);
          expect(reader.stateDiff(number)).toEqual(parts.stateDiff);
          expect(reader.inputs(number)).toEqual(parts.inputs ?? { l1Messages: [] });
          expect(reader.bundle(number)?.block.header).toEqual(testHeader(number));
          parts.transactions?.forEach(({ hash }, index) => {
            expect(reader.locate(hash)).toEqual({ blockNumber: number, index });
          });
        }
      }));

    test("reads its state at every block", () =>
      withDump(version, (handle) => {
        const reader = createChainReader(handle);
        const states = [0, 1, 2].map((number) => reader.stateAt(number));
        const at = (address: bigint, key: bigint) => states.map((s) => s.storageAt(address, key));
        expect(at(CONTRACT, 1n)).toEqual([10n, 11n, 11n]);
        expect(at(CONTRACT, 2n)).toEqual([20n, 20n, 0n]);
        expect(at(CONTRACT, 3n)).toEqual([0n, 0n, 33n]);
        expect(at(OTHER_CONTRACT, 1n)).toEqual([5n, 5n, 0n]);
        expect(states.map((state) => state.nonceAt(CONTRACT))).toEqual([0n, 3n, 4n]);
        expect(states.map((state) => state.classHashAt(CONTRACT))).toEqual([
          LEGACY_HASH,
          SIERRA_HASH,
          SIERRA_HASH,
        ]);
        const compiled = states.map((state) => state.compiledClassHashOf(SIERRA_HASH));
        expect(compiled).toEqual([0xca5n, 0xca5n, 0xca6n]);
        expect(reader.lastStorageUpdate(CONTRACT, 1n, NEWEST)).toBe(1);
      }));

    test("reads its classes, L1 messages, node values and events", () =>
      withDump(version, (handle) => {
        const reader = createChainReader(handle);
        expect(reader.declaredClass(LEGACY_HASH)?.contractClass).toEqual(LEGACY_CLASS);
        expect(reader.declaredClass(SIERRA_HASH)?.contractClass).toEqual(SIERRA_CLASS);
        expect(reader.casm(SIERRA_HASH)?.casmJson).toBe(CASM_JSON);
        const message = { transactionHash: 0x100an, blockNumber: 1 };
        expect(reader.consumedL1Message(5n)).toEqual(message);
        expect(reader.messagesOfL1Transaction(L1_TRANSACTION)).toEqual([message]);
        expect(reader.value(NODE_VALUE.key)).toEqual(NODE_VALUE.value);
        const found = (address: bigint) => {
          const query = { addresses: [address], keys: [[0x7an]] };
          return reader.nextEventBlock(query, 0, NEWEST);
        };
        expect([found(CONTRACT), found(OTHER_CONTRACT), found(0x99n)]).toEqual([1, 2, undefined]);
      }));

    test("proves keys of the tries of every block", () =>
      withDump(version, (handle) => {
        const reader = createChainReader(handle);
        for (let number = 0; number <= NEWEST; number++) {
          const tries = reader.trieAt(number);
          const root = tries.root(CONTRACTS);
          const keys = [CONTRACT, OTHER_CONTRACT, 0x99n];
          expect(proveKeys(tries, root, STATE_TRIE_HEIGHT, keys, PEDERSEN).length).toBeGreaterThan(
            1,
          );
        }
      }));

    test("can be reverted, extended and pruned", () =>
      withDump(version, (handle) => {
        const before = unpackedDump(dumpOf(handle.connection));
        createChainWriter(handle).revertTo(0);
        for (let number = 1; number <= NEWEST; number++) addSampleBlock(handle, number);
        const writer = createChainWriter(handle, { keepProofs: 1 });
        writer.setL1Accepted(1);
        expect(unpackedDump(dumpOf(handle.connection))).toBe(before);
        while (writer.pruneMore()) continue;
        const reader = createChainReader(handle);
        expect(reader.oldestTrieBlock()).toBe(NEWEST);
        expect(() => reader.trieAt(0).root(CONTRACTS)).toThrow("not kept any more");
        expect(reader.trieAt(NEWEST).root(CONTRACTS)).toBeDefined();
      }));
  });
}

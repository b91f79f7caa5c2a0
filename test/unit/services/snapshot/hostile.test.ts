import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { blockHash } from "#protocol/chain/index.ts";
import { MANIFEST } from "#services/snapshot/index.ts";
import { changedRow, forged, withRows } from "#test/helpers/forged-snapshot.ts";
import type { MemoryFolder } from "#test/helpers/memory-folder.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { useSnapshotAttack } from "#test/helpers/snapshot-attack.ts";
import { WORLD_AT } from "#test/helpers/snapshot-world.ts";

const { whole, refusalOf, bundle, withSignature } = useSnapshotAttack();

describe("a snapshot with forged checksums is refused for", () => {
  const cases: readonly (readonly [string, () => MemoryFolder, string])[] = [
    [
      "a block with another number",
      () => withRows(whole, "block", () => [bundle(WORLD_AT + 1)]),
      `block-000000.bin: number: expected ${WORLD_AT}, found ${WORLD_AT + 1}`,
    ],
    [
      "a block signed by another key",
      () =>
        withRows(
          whole,
          "block",
          changedRow(0, (bytes) => withSignature(bytes)),
        ),
      "block-000000.bin: signature: expected one of block",
    ],
    [
      "headers of another block's ancestors",
      () =>
        withRows(
          whole,
          "headers",
          changedRow(3, (header) => ({ ...header, timestamp: 1 })),
        ),
      "headers-000000.bin: block_hash of block 13: expected",
    ],
    [
      "a header of another chain with a valid hash",
      () =>
        withRows(
          whole,
          "headers",
          changedRow(3, (header) => ({
            ...header,
            hash: blockHash({ ...header, parentHash: 5n }),
          })),
        ),
      "headers-000000.bin: hash of the header of block 13: expected",
    ],
    [
      "headers in another order",
      () => withRows(whole, "headers", (rows) => rows.reverse()),
      "headers-000000.bin: number of the header before",
    ],
    [
      "an extra header",
      () =>
        forged(
          whole,
          "headers-000000.bin",
          () =>
            withRows(whole, "headers", (rows) => [...rows, ...rows]).files.get(
              "headers-000000.bin",
            ) ?? new Uint8Array(),
        ),
      "headers-000000.bin: expected 10 rows, found more",
    ],
    [
      "a message of a later block",
      () =>
        withRows(
          whole,
          "messages",
          changedRow(0, (row) => ({ ...row, blockNumber: WORLD_AT + 1 })),
        ),
      "messages-000000.bin: message 0 from L1: expected at most block",
    ],
    [
      "a message not consumed by its block",
      () =>
        withRows(
          whole,
          "messages",
          changedRow(0, (row) => ({ ...row, blockNumber: WORLD_AT })),
        ),
      `expected one that block ${WORLD_AT} consumed`,
    ],
    [
      "a class under another hash",
      () =>
        withRows(
          whole,
          "classes",
          changedRow(0, (row) => ({ ...row, classHash: 0x5n })),
        ),
      "classes-000000.bin: class 0x5: expected a class of that hash",
    ],
    [
      "an unreadable class",
      () =>
        withRows(
          whole,
          "classes",
          changedRow(0, (row) => ({ ...row, contractClass: Uint8Array.of(9) })),
        ),
      "classes-000000.bin: ",
    ],
    [
      "code with a hash other than this program's",
      () =>
        withRows(
          whole,
          "classes",
          changedRow(0, (row) => ({ ...row, compiledClassHash: 0x5n })),
        ),
      "this program's compiler gives other code; older compilers",
    ],
    [
      "a Sierra class without a compiled class hash",
      () =>
        withRows(
          whole,
          "classes",
          changedRow(0, (row) => ({ ...row, compiledClassHash: null })),
        ),
      "expected a compiled class hash, found none",
    ],
    [
      "a class of a later block",
      () =>
        withRows(
          whole,
          "classes",
          changedRow(0, (row) => ({ ...row, declaredAtBlock: WORLD_AT + 1 })),
        ),
      "expected at most block",
    ],
    [
      "a class not declared by its block",
      () =>
        withRows(
          whole,
          "classes",
          changedRow(0, (row) => ({ ...row, declaredAtBlock: WORLD_AT })),
        ),
      "STORAGE_BAD_SNAPSHOT",
    ],
    [
      "an omitted class",
      () => withRows(whole, "classes", (rows) => rows.slice(0, -1)),
      "contracts-000000.bin: contract ",
    ],
    [
      "a contract of an unknown class",
      () =>
        withRows(
          whole,
          "contracts",
          changedRow(-1, (row) => ({ ...row, classHash: 0x5n })),
        ),
      "expected a class of the snapshot, found 0x5",
    ],
    [
      "another nonce",
      () =>
        withRows(whole, "contracts", (rows) =>
          rows.map((row) => ({ ...row, nonce: row.nonce + 1n })),
        ),
      "STORAGE_ROOT_MISMATCH",
    ],
    [
      "an omitted contract",
      () => withRows(whole, "contracts", (rows) => rows.slice(0, -1)),
      "STORAGE_",
    ],
    [
      "an extra contract",
      () =>
        withRows(whole, "contracts", (rows) => [
          ...rows,
          ...rows.slice(0, 1).map((row) => ({ ...row, address: 2n ** 250n, nonce: 1n })),
        ]),
      "STORAGE_ROOT_MISMATCH",
    ],
    [
      "another value",
      () =>
        withRows(whole, "storage", (rows) =>
          rows.map((row) => ({ ...row, value: row.value + 1n })),
        ),
      "STORAGE_ROOT_MISMATCH",
    ],
    [
      "an omitted value",
      () => withRows(whole, "storage", (rows) => rows.filter(({ key }) => key !== rows[0]?.key)),
      "STORAGE_ROOT_MISMATCH",
    ],
    [
      "an extra value",
      () =>
        withRows(whole, "storage", (rows) => [
          ...rows,
          ...rows.slice(0, 1).map((row) => ({ ...row, key: 2n ** 250n, value: 1n })),
        ]),
      "STORAGE_ROOT_MISMATCH",
    ],
    [
      "storage of no contract",
      () =>
        withRows(whole, "storage", (rows) => [
          ...rows,
          ...rows.slice(-1).map((row) => ({ ...row, contractAddress: 2n ** 250n })),
        ]),
      "storage-000000.bin: The snapshot is inconsistent: there is storage of",
    ],
    [
      "a value of a later block",
      () =>
        withRows(
          whole,
          "storage",
          changedRow(0, (row) => ({ ...row, updatedAtBlock: 1000 })),
        ),
      "storage-000000.bin: storage of contract",
    ],
    [
      "later blocks in another order",
      () => withRows(whole, "bundles", (rows) => rows.reverse()),
      `bundles-000000.bin: block ${WORLD_AT + 1}: number: expected ${WORLD_AT + 1}`,
    ],
    [
      "a later block signed by another key",
      () =>
        withRows(
          whole,
          "bundles",
          changedRow(1, (bytes) => withSignature(bytes)),
        ),
      `bundles-000000.bin: block ${WORLD_AT + 2}: signature: expected one of block`,
    ],
    [
      "fewer rows than declared",
      () => forged(whole, "storage-000000.bin", (bytes) => bytes, 1),
      "storage-000000.bin: expected 1 rows, found",
    ],
    [
      "a file of another kind",
      () =>
        forged(
          whole,
          "storage-000000.bin",
          () => whole.files.get("contracts-000000.bin") ?? new Uint8Array(),
        ),
      "expected a file of storage",
    ],
  ];
  for (const [name, make, expected] of cases) {
    test(name, async () => expect(await refusalOf(make())).toContain(expected), 60_000);
  }

  test("a flipped bit is refused anywhere, or changes no block", async () => {
    const files = [...whole.files.keys()].filter((name) => name !== MANIFEST);
    const anyFlip = fc.record({
      name: fc.constantFrom(...files),
      at: fc.double({ min: 0, max: 0.999_999, noNaN: true }),
      bit: fc.nat(7),
    });
    const property = fc.asyncProperty(anyFlip, async ({ name, at, bit }) => {
      const copy = forged(whole, name, (bytes) => {
        const index = Math.floor(at * bytes.length);
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
        return bytes;
      });
      const found = await refusalOf(copy);
      // Code is recompiled, the block's writes are derived from it, and no hash covers some
      // numbers.
      expect(found).toMatch(/^none$|^STORAGE_(SNAPSHOT_WRONG|BAD_SNAPSHOT|ROOT_MISMATCH): /);
    });
    await assertProperty(property, { numRuns: 40, minRuns: 8 });
  }, 120_000);
});

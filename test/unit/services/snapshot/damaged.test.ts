import { describe, expect, test } from "bun:test";
import { useSnapshotAttack } from "#test/helpers/snapshot-attack.ts";

const { whole, refusalOf } = useSnapshotAttack();

const NAMES = ["block", "headers", "messages", "classes", "contracts", "storage", "bundles"];

describe("a file that differs from the manifest", () => {
  for (const kind of NAMES) {
    const name = `${kind}-000000.bin`;

    test(`${kind}: a flipped bit, a truncation, an extension, and absence are reported with the file's name`, async () => {
      const bytes = whole.files.get(name) ?? new Uint8Array();
      const flipped = bytes.slice();
      flipped[bytes.length >> 1] = (flipped[bytes.length >> 1] ?? 0) ^ 0x10;
      const changes: readonly (readonly [Uint8Array<ArrayBuffer> | undefined, string])[] = [
        [flipped, "expected SHA-256"],
        [bytes.slice(0, -1), `expected ${bytes.length} bytes, found ${bytes.length - 1}`],
        [new Uint8Array(), `expected ${bytes.length} bytes, found 0`],
        [new Uint8Array([...bytes, 0]), `expected ${bytes.length} bytes at most, found more`],
        [undefined, "it is not in a folder in memory"],
      ];
      for (const [change, expected] of changes) {
        const copy = whole.copy();
        if (change === undefined) copy.files.delete(name);
        else copy.files.set(name, change);
        const found = await refusalOf(copy);
        expect(found).toStartWith(`STORAGE_SNAPSHOT_WRONG: the snapshot is wrong: ${name}: `);
        expect(found).toContain(expected);
      }
    }, 60_000);
  }
});

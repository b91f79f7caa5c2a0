import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { withRows } from "#test/helpers/forged-snapshot.ts";
import { MemoryFolder } from "#test/helpers/memory-folder.ts";
import {
  importFrom,
  makeSnapshotWorld,
  type SnapshotWorld,
  threadCompiler,
  WORLD_AT,
} from "#test/helpers/snapshot-world.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";

const KEY = "block-signing.key";

const folder = useFolder();
const whole = new MemoryFolder();
let world: SnapshotWorld;
/** Another chain of the same key. */
let other: SnapshotWorld;

beforeAll(async () => {
  world = await makeSnapshotWorld(folder.file("chain"));
  mkdirSync(folder.file("other"));
  copyFileSync(join(folder.file("chain"), KEY), join(folder.file("other"), KEY));
  other = await makeSnapshotWorld(folder.file("other"), 2);
  await world.exportTo(whole, { fileBytes: 2 ** 24 });
}, 60_000);

afterAll(() => {
  world[Symbol.dispose]();
  other[Symbol.dispose]();
});

test("refuses a block that the same key signed on another branch", async () => {
  expect(other.publicKey).toBe(world.publicKey);
  const foreign = other.chain.bundleBytes(WORLD_AT + 1) ?? new Uint8Array();
  const snapshot = withRows(whole, "bundles", (rows) => rows.with(0, foreign));
  const trust = { publicKey: world.publicKey, blockHash: null };
  const options = { trust, compiler: threadCompiler() };
  const imported = importFrom(snapshot, folder.file("imported.db"), options, () => "taken");
  const told = await imported.catch(({ message }: { readonly message: string }) => message);
  expect(told).toContain(`bundles-000000.bin: block ${WORLD_AT + 1}: parent_hash: expected 0x`);
});

import { afterAll, beforeAll, expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import { decodeManifest, findExport, MANIFEST } from "#services/snapshot/index.ts";
import { MemoryFolder } from "#test/helpers/memory-folder.ts";
import {
  importFrom,
  makeSnapshotFrom,
  makeSnapshotWorld,
  memoryJournal,
  type SnapshotWorld,
  threadCompiler,
  WORLD_AT,
  WORLD_BLOCKS,
} from "#test/helpers/snapshot-world.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";

const folder = useFolder();
const whole = new MemoryFolder();
const compiler = threadCompiler();
let world: SnapshotWorld;

beforeAll(async () => {
  world = await makeSnapshotWorld(folder.file("chain"));
  await world.exportTo(whole);
}, 60_000);

afterAll(() => world[Symbol.dispose]());

/** Contents of a chain from the snapshot's block on. */
function told(chain: StoredChainReader): unknown {
  const blocks = [];
  for (let number = WORLD_AT; number <= WORLD_BLOCKS; number++) {
    blocks.push([
      chain.header(number),
      chain.signature(number),
      chain.epoch(number),
      chain.inputs(number),
      Buffer.from(chain.bundleBytes(number) ?? []).toString("hex"),
    ]);
  }
  const nonces = Array.from({ length: WORLD_BLOCKS + 2 }, (_, nonce) => BigInt(nonce));
  return {
    blocks,
    newest: chain.latestNumber(),
    nonce: chain.newestConsumedNonce(),
    // Also messages of pruned blocks: none can be consumed again.
    consumed: nonces.map((nonce) => chain.consumedL1Message(nonce)),
  };
}

test("an imported chain has the exported blocks, and gives the same snapshot", async () => {
  const trust = { publicKey: world.publicKey, blockHash: null };
  const path = folder.file("imported.db");
  const found = await importFrom(whole, path, { trust, compiler }, told);
  expect(found).toEqual(told(world.chain));
  const again = await makeSnapshotFrom(path, WORLD_AT);
  expect([...again.files.keys()]).toEqual([...whole.files.keys()]);
  for (const [name, bytes] of whole.files) {
    // Compiled code is generated again.
    if (name.startsWith("classes") || name === MANIFEST) continue;
    expect(again.files.get(name)).toEqual(bytes);
  }
}, 60_000);

test("a block hash suffices for the block itself", async () => {
  const blockHash = world.chain.header(WORLD_AT)?.hash ?? 0n;
  const trust = { publicKey: null, blockHash };
  const path = folder.file("by-hash.db");
  const read = (chain: StoredChainReader) => [
    chain.latestNumber(),
    hexFromFelt(chain.header(WORLD_AT)?.hash ?? 0n),
  ];
  const found = await importFrom(whole, path, { trust, compiler }, read);
  expect(found).toEqual([WORLD_AT, hexFromFelt(blockHash)]);
}, 60_000);

test("an export that fails at any step resumes to the same snapshot", async () => {
  const target = new MemoryFolder();
  const { length } = whole.steps.filter(({ method }) => method === "write");
  for (let stopAt = 0; stopAt < length; stopAt++) {
    let writes = 0;
    target.fault = ({ method }) => {
      if (method === "write" && writes++ === 2 + (stopAt % 3)) throw new RangeError("stopped");
    };
    await world.exportTo(target).catch(() => undefined);
    expect((await findExport(target))?.isWhole).not.toBe(undefined);
    if (target.files.has(MANIFEST)) break;
  }
  target.fault = () => undefined;
  expect(target.files.get(MANIFEST)).toEqual(whole.files.get(MANIFEST) ?? new Uint8Array());
  expect([...target.files.keys()].sort()).toEqual([...whole.files.keys()].sort());
}, 60_000);

test("an import stopped at any step resumes, and rereads no stored file", async () => {
  const trust = { publicKey: world.publicKey, blockHash: null };
  const path = folder.file("stopped.db");
  const journal = memoryJournal();
  const source = whole.copy();
  const stopped = new RangeError("stopped");
  let runs = 0;
  for (let isWhole = false; !isWhole; runs++) {
    let steps = 0;
    const step = async (): Promise<void> => {
      if (steps++ >= runs) throw stopped;
    };
    const options = { trust, compiler, journal, step };
    const found = await importFrom(source, path, options, told).catch((error: unknown) => error);
    isWhole = found !== stopped;
    if (isWhole) expect(found).toEqual(told(world.chain));
  }
  expect(runs).toBeGreaterThan(10);
  const { files } = decodeManifest(whole.files.get(MANIFEST) ?? new Uint8Array());
  for (const { name, kind } of files) {
    if (kind === "block" || kind === "headers" || kind === "bundles") continue;
    const reads = source.steps.filter((each) => each.name === name).length;
    // Once, and once more if it was stopped inside.
    expect(reads).toBeLessThanOrEqual(2);
  }
}, 60_000);

import { afterAll, beforeAll, expect } from "bun:test";
import { AppError } from "#base/errors/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import { MemoryFolder } from "./memory-folder.ts";
import {
  importFrom,
  makeSnapshotWorld,
  type SnapshotWorld,
  threadCompiler,
  WORLD_AT,
  WORLD_BLOCKS,
} from "./snapshot-world.ts";
import { useFolder } from "./temporary-folder.ts";

/** A snapshot to be changed by the tests of a file. */
export interface SnapshotAttack {
  /** The unchanged snapshot, with a file of each kind. */
  readonly whole: MemoryFolder;
  /**
   * Rejection of a snapshot by an import with the key, its code first; "none" if it is accepted
   * with the blocks of the chain.
   */
  refusalOf(source: MemoryFolder): Promise<string>;
  /** Bundle of a block of the chain. */
  bundle(blockNumber: number): Uint8Array;
  /** Replaces the signature of a bundle. */
  withSignature(bytes: Uint8Array): Uint8Array;
}

/** Creates a chain and its snapshot. */
export function useSnapshotAttack(): SnapshotAttack {
  const folder = useFolder();
  const whole = new MemoryFolder();
  const compiler = threadCompiler();
  let world: SnapshotWorld;
  let runs = 0;
  beforeAll(async () => {
    world = await makeSnapshotWorld(folder.file("chain"));
    await world.exportTo(whole, { fileBytes: 2 ** 24 });
  }, 60_000);
  afterAll(() => world[Symbol.dispose]());
  const bundle = (number: number): Uint8Array =>
    world.chain.bundleBytes(number) ?? new Uint8Array();
  const headers = (chain: StoredChainReader) =>
    Array.from({ length: WORLD_BLOCKS - WORLD_AT + 2 }, (_, i) => chain.header(WORLD_AT + i));
  return {
    whole,
    bundle,
    async refusalOf(source) {
      const path = folder.file(`import-${runs++}.db`);
      const trust = { publicKey: world.publicKey, blockHash: null };
      try {
        const found = await importFrom(source, path, { trust, compiler }, headers);
        expect(found).toEqual(headers(world.chain));
        return "none";
      } catch (error) {
        if (error instanceof AppError) return `${error.code}: ${error.message}`;
        throw error;
      }
    },
    withSignature(bytes) {
      const same = Buffer.from(bytes);
      let number = 0;
      while (!same.equals(bundle(number))) number++;
      const { r = 0n } = world.chain.signature(number) ?? {};
      const hex = r.toString(16);
      const at = same.indexOf(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
      const copy = new Uint8Array(bytes);
      copy[at + 8] = (copy[at + 8] ?? 0) ^ 1;
      return copy;
    },
  };
}

import { describe, expect, test } from "bun:test";
import type { NodeOptions } from "#app/node/index.ts";
import { run, startedWith } from "./run.ts";

const DEVNET = ["sequencer", "--preset", "devnet"];

async function storageOf(argv: readonly string[]): Promise<NodeOptions["storage"]> {
  return (await startedWith([...DEVNET, ...argv])).storage;
}

describe("retention options", () => {
  test("default to all state and the proofs of 128 blocks", async () => {
    expect(await storageOf([])).toEqual({
      keepProofs: 128,
      pruneHistory: "archive",
      trieCacheBytes: 32 * 2 ** 20,
    });
  });

  test("accept a number of blocks or archive", async () => {
    const fewer = ["--keep-proofs", "1", "--prune-history=16", "--trie-cache", "8"];
    expect(await storageOf(fewer)).toEqual({
      keepProofs: 1,
      pruneHistory: 16,
      trieCacheBytes: 8 * 2 ** 20,
    });
    expect(await storageOf(["--keep-proofs=Archive"])).toMatchObject({ keepProofs: "archive" });
  });

  for (const [word, expected] of [
    ["--keep-proofs=0", "a number from 1 or archive"],
    ["--keep-proofs=all", "a number from 1 or archive"],
    ["--prune-history=15", "a number from 16 or archive"],
    ["--prune-history=-1", "a number from 16 or archive"],
    ["--prune-history=99999999999999999", "a number from 16 or archive"],
    ["--trie-cache=7", "MiB from 8 to 65536"],
  ] as const) {
    test(`refuse ${word}`, async () => {
      const { code, err } = await run([...DEVNET, word]);
      expect(code).toBe(2);
      expect(err).toContain(expected);
    });
  }
});

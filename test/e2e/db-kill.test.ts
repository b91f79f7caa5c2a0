import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rawCall, startChain } from "#test/helpers/binary.ts";
import { contentsDigest, db, killedDb } from "#test/helpers/db-command.ts";
import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { createRandom } from "#test/helpers/random.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";
import { makeTrueChain } from "#test/helpers/true-chain.ts";
import { bySize } from "#test/helpers/test-size.ts";

/** How often each command is killed; `scripts/kill-test` sets another number. */
const KILLS = integerOfEnvironment("DB_KILLS") ?? bySize({ quick: 1, full: 2 });
/** Seed of the kill times: a new one in each run unless the environment sets it. */
const SEED = integerOfEnvironment("FUZZ_SEED") ?? Date.now() % 2 ** 32;
const BLOCKS = bySize({ quick: 400, full: 2_000 });
const random = createRandom(SEED);

const folder = useFolder();
const original = folder.file("original");
let digest: string;

beforeAll(async () => {
  await makeTrueChain(original, {
    blocks: BLOCKS,
    transactions: 2,
    retention: { keepProofs: 32, pruneHistory: "archive" },
  });
  digest = contentsDigest(join(original, "chain.db"));
}, 120_000);

function copyOf(name: string): string {
  const path = folder.file(name);
  rmSync(path, { recursive: true, force: true });
  cpSync(original, path, { recursive: true });
  return path;
}

describe(`${BLOCKS} blocks and commands that are killed ${KILLS} times (FUZZ_SEED=${SEED})`, () => {
  test("a killed backup leaves a complete file or none, and can be repeated", async () => {
    const target = folder.file("killed.backup");
    const whole = (await db("backup", folder.file("timed.backup"), "--base-path", original)).ms;
    for (let kill = 0; kill < KILLS; kill++) {
      await killedDb(random.below(whole * 1.2), "backup", target, "--base-path", original);
      const isComplete = existsSync(target);
      if (!isComplete) expect((await db("backup", target, "--base-path", original)).err).toBe("");
      const restored = folder.file(`from-killed-${kill}`);
      expect((await db("restore", target, "--base-path", restored)).err).toBe("");
      expect(contentsDigest(join(restored, "chain.db"))).toBe(digest);
      rmSync(restored, { recursive: true });
      rmSync(target);
      // A backup that was killed after the rename may leave its temporary folder.
      rmSync(`${target}.tmp`, { recursive: true, force: true });
    }
    expect(contentsDigest(join(original, "chain.db"))).toBe(digest);
    expect(readdirSync(folder.path).filter((name) => name.startsWith("killed"))).toEqual([]);
  }, 600_000);

  test("a killed restore can be repeated", async () => {
    const backup = folder.file("for-restore.backup");
    await db("backup", backup, "--base-path", original);
    const whole = (await db("restore", backup, "--base-path", folder.file("timed"))).ms;
    for (let kill = 0; kill < KILLS; kill++) {
      const target = folder.file(`killed-restore-${kill}`);
      await killedDb(random.below(whole * 1.2), "restore", backup, "--base-path", target);
      const isWhole =
        existsSync(join(target, "chain.db")) && !existsSync(join(target, "restore.tmp"));
      if (!isWhole) expect((await db("restore", backup, "--base-path", target)).err).toBe("");
      expect(contentsDigest(join(target, "chain.db"))).toBe(digest);
      rmSync(target, { recursive: true });
    }
  }, 600_000);

  test("a killed compaction leaves the same chain", async () => {
    const target = copyOf("compacted");
    const whole = (await db("compact", "--base-path", target)).ms;
    for (let kill = 0; kill < KILLS; kill++) {
      await killedDb(random.below(whole * 1.2), "compact", "--base-path", target);
      expect(contentsDigest(join(target, "chain.db"))).toBe(digest);
    }
    expect((await db("compact", "--base-path", target)).err).toBe("");
    expect(readdirSync(target).filter((name) => name.includes("compact"))).toEqual([]);
    expect(contentsDigest(join(target, "chain.db"))).toBe(digest);
  }, 600_000);

  test("a killed revert is complete or has changed nothing, and can be repeated", async () => {
    const whole = (await db("revert", "--to", "10", "--yes", "--base-path", copyOf("timed-revert")))
      .ms;
    const done = contentsDigest(folder.file("timed-revert/chain.db"));
    for (let kill = 0; kill < KILLS; kill++) {
      const target = copyOf("reverted");
      const words = ["revert", "--to", "10", "--yes", "--base-path", target];
      await killedDb(random.below(whole * 1.2), ...words);
      expect([digest, done]).toContain(contentsDigest(join(target, "chain.db")));
      expect((await db(...words)).code).toBe(0);
      expect(contentsDigest(join(target, "chain.db"))).toBe(done);
    }
    expect((await db("check", "--base-path", folder.file("reverted"))).err).toBe("");
  }, 600_000);

  test("a killed node that prunes a long history resumes where it was, without differences", async () => {
    const basePath = copyOf("pruned");
    const args = ["--keep-proofs", "4", "--prune-history", "16"];
    let newest = BLOCKS;
    for (let kill = 0; kill < KILLS; kill++) {
      const chain = await startChain({ basePath, args });
      const at = async (): Promise<number> =>
        Number((await rawCall(chain.url, "starknet_blockNumber", [])).result);
      expect(await at()).toBeGreaterThanOrEqual(newest);
      // The first block prunes the tries of the others.
      const { error } = await rawCall(chain.url, "devnet_createBlock", []);
      expect(error).toBeUndefined();
      newest++;
      let isGoing = true;
      const making = (async () => {
        while (isGoing) {
          const made = await rawCall(chain.url, "devnet_createBlock", []).catch(() => undefined);
          if (made?.result !== undefined) newest++;
        }
      })();
      await Bun.sleep(random.below(500));
      await chain.stop("SIGKILL");
      isGoing = false;
      await making;
      const { code, err, out } = await db(
        "check",
        "--from",
        String(BLOCKS - 100),
        "--base-path",
        basePath,
      );
      expect(err).toBe("");
      expect(code).toBe(0);
      expect(out).toMatch(/tries are kept, and were checked, for [45] of these blocks/);
    }
    const whole = await db("check", "--base-path", basePath);
    expect(whole.err).toBe("");
    const { out } = await db("info", "--quick", "--base-path", basePath);
    const oldest = Number(/^oldest_state_block: (\d+)$/m.exec(out)?.[1]);
    expect(oldest).toBeGreaterThanOrEqual(BLOCKS - 100);
  }, 600_000);
});

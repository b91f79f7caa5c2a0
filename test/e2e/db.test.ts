import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { BINARY, type RunningChain, startChain } from "#test/helpers/binary.ts";
import { contentsDigest, db, type DbRun } from "#test/helpers/db-command.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";
import { NO_ESTIMATE, transferCall } from "#test/helpers/tokens.ts";
import { makeTrueChain } from "#test/helpers/true-chain.ts";
import { bySize } from "#test/helpers/test-size.ts";

const BLOCKS = bySize({ quick: 60, full: 200 });

const folder = useFolder();
const original = folder.file("original");
let digest: string;

beforeAll(async () => {
  await makeTrueChain(original, {
    blocks: BLOCKS,
    transactions: 8,
    retention: { keepProofs: 32, pruneHistory: "archive" },
  });
  digest = contentsDigest(join(original, "chain.db"));
}, 60_000);

function copyOf(name: string): string {
  const path = folder.file(name);
  rmSync(path, { recursive: true, force: true });
  cpSync(original, path, { recursive: true });
  return path;
}

test("a backup is restored to the same chain, with its key if requested", async () => {
  const backup = folder.file("with-key");
  expect((await db("backup", backup, "--base-path", original, "--with-key")).code).toBe(0);
  expect(statSync(backup).mode & 0o777).toBe(0o600);
  expect(existsSync(`${backup}.tmp`)).toBe(false);
  const restored = folder.file("restored");
  expect((await db("restore", backup, "--base-path", restored)).err).toBe("");
  expect(contentsDigest(join(restored, "chain.db"))).toBe(digest);
  expect(statSync(join(restored, "block-signing.key")).mode & 0o777).toBe(0o600);
  const { code, out } = await db("check", "--base-path", restored);
  expect(out).toContain(`no difference in ${BLOCKS + 1} blocks`);
  expect(out).not.toContain("signatures were not checked");
  expect(code).toBe(0);
}, 60_000);

test("backup, check and info work on a running node; other commands are rejected", async () => {
  const live = folder.file("live");
  mkdirSync(live);
  const chain: RunningChain = await startChain({ basePath: live });
  const send = () => chain.account(0).execute(transferCall("0x123", 1n), NO_ESTIMATE);
  const { transaction_hash } = await send();
  await chain.provider.waitForTransaction(transaction_hash, { retryInterval: 20 });
  const backup = folder.file("live.backup");
  const made = await db("backup", backup, "--base-path", live, "--with-key");
  expect(made.err).toBe("");
  expect(made.out).toContain("contains: chain.db, mempool.db, block-signing.key");
  expect((await db("check", "--base-path", live)).err).toBe("");
  expect((await db("info", "--base-path", live)).out).toContain("chain_id: APPCHAIN_DEVNET");
  for (const words of [["compact"], ["revert", "--to", "0", "--yes"]]) {
    const refused = await db(...words, "--base-path", live);
    expect(refused.err).toContain("in use by another process");
    expect(refused.code).toBe(1);
  }
  expect((await db("restore", backup, "--base-path", live)).code).toBe(1);
  await chain.stop();

  const copy = folder.file("live-copy");
  expect((await db("restore", backup, "--base-path", copy)).code).toBe(0);
  const again = await startChain({ basePath: copy });
  const receipt = await again.provider.getTransactionReceipt(transaction_hash);
  expect(receipt.isSuccess()).toBe(true);
  await again.stop();
}, 60_000);

describe("a full disk", () => {
  test("leaves nothing of a backup, a compaction or a restore", async () => {
    const target = copyOf("full");
    const backup = folder.file("before-full.backup");
    await db("backup", backup, "--base-path", target);
    const limited = async (words: string): Promise<DbRun> => {
      // In blocks of 512 or 1024 bytes: both are below the size of the database.
      const child = Bun.spawn(
        ["sh", "-c", `trap '' XFSZ; ulimit -f 300; exec "$0" db ${words}`, BINARY],
        { cwd: folder.path, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
      );
      const err = await new Response(child.stderr).text();
      return { code: await child.exited, out: "", err, ms: 0 };
    };
    for (const words of [
      "backup full.backup --base-path full",
      "compact --base-path full",
      "restore before-full.backup --base-path restored-full",
    ]) {
      const { code, err } = await limited(words);
      expect(err).toMatch(/^error: .*(disk|full|larger)/);
      expect(code).toBe(1);
    }
    expect(existsSync(folder.file("full.backup"))).toBe(false);
    expect(existsSync(folder.file("full.backup.tmp"))).toBe(false);
    expect(readdirSync(folder.file("restored-full"))).toEqual(["lock.db"]);
    expect(contentsDigest(join(target, "chain.db"))).toBe(digest);
  }, 60_000);
});

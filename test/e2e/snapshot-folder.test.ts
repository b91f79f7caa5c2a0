import { beforeAll, expect, test } from "bun:test";
import { copyFileSync, cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createChainReader, openDatabase } from "#io/storage/index.ts";
import { contentsDigest, db } from "#test/helpers/db-command.ts";
import { addBlocks, copyFrom } from "#test/helpers/snapshot-copy.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";
import { makeTrueChain, TRUE_CHAIN_ID } from "#test/helpers/true-chain.ts";

const BLOCKS = 60;
/** First block of the chain that starts from a snapshot. */
const FIRST = 37;

const folder = useFolder();
const later = folder.file("later");
let digest: string;

beforeAll(async () => {
  const original = folder.file("original");
  await makeTrueChain(original, { blocks: BLOCKS, transactions: 6 });
  mkdirSync(later);
  copyFileSync(join(original, "block-signing.key"), join(later, "block-signing.key"));
  const path = join(later, "chain.db");
  const reading = await openDatabase({
    path: join(original, "chain.db"),
    chainId: TRUE_CHAIN_ID,
    mode: "reader",
    durability: "normal",
  });
  await copyFrom(reading, FIRST, path, 100);
  await addBlocks(createChainReader(reading), path, TRUE_CHAIN_ID);
  reading.close();
  digest = contentsDigest(path);
}, 60_000);

test("info and check work on a chain from a snapshot", async () => {
  const info = await db("info", "--base-path", later, "--quick");
  expect(info.out).toContain(`blocks: ${BLOCKS + 1 - FIRST}\n`);
  expect(info.out).toContain(`oldest_block: ${FIRST} (the chain was made from a snapshot)`);
  const check = await db("check", "--base-path", later);
  expect(check.out).toContain(`no difference in ${BLOCKS + 1 - FIRST} blocks`);
  expect(check.out).not.toContain("signatures were not checked");
  const before = await db("check", "--base-path", later, "--from", "0");
  expect(before.err).toContain(`--from: is 0, and the oldest block is ${FIRST}`);
  expect(before.code).toBe(2);
}, 60_000);

test("a chain from a snapshot can be reverted to its first block, and not further", async () => {
  const copy = folder.file("reverted");
  cpSync(later, copy, { recursive: true });
  for (const to of [0, FIRST - 1]) {
    const refused = await db("revert", "--to", String(to), "--yes", "--base-path", copy);
    expect(refused.err).toContain(`--to: is ${to}, and the oldest block is ${FIRST}`);
    expect(refused.code).toBe(2);
  }
  expect(contentsDigest(join(copy, "chain.db"))).toBe(digest);
  const reverted = await db("revert", "--to", String(FIRST), "--yes", "--base-path", copy);
  expect(reverted.out).toContain(`newest_block: ${FIRST}, `);
  expect((await db("check", "--base-path", copy)).out).toContain("no difference in 1 blocks");
}, 60_000);

test("a chain from a snapshot can be backed up, restored and compacted", async () => {
  const backup = folder.file("later.backup");
  expect((await db("backup", backup, "--base-path", later)).err).toBe("");
  const restored = folder.file("restored");
  expect((await db("restore", backup, "--base-path", restored)).err).toBe("");
  expect(contentsDigest(join(restored, "chain.db"))).toBe(digest);
  expect((await db("compact", "--base-path", restored)).err).toBe("");
  expect((await db("check", "--base-path", restored)).code).toBe(0);
}, 60_000);

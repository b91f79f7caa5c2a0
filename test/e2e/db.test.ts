import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  BINARY,
  removeFolder,
  type RunningChain,
  startChain,
  temporaryFolder,
} from "#test/helpers/binary.ts";
import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { createRandom } from "#test/helpers/random.ts";
import { NO_ESTIMATE, transferCall } from "#test/helpers/tokens.ts";
import { makeTrueChain } from "#test/helpers/true-chain.ts";

/** How often each command is killed; `scripts/kill-test` takes another number. */
const KILLS = integerOfEnvironment("DB_KILLS") ?? 2;
/** Decides the moments of the kills: other ones in each run, unless the environment names it. */
const SEED = integerOfEnvironment("FUZZ_SEED") ?? Date.now() % 2 ** 32;
const BLOCKS = 400;
const random = createRandom(SEED);

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
}

async function db(...words: readonly string[]): Promise<Ran> {
  const startMs = performance.now();
  const child = Bun.spawn([BINARY, "db", ...words], {
    cwd: "/",
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err, ms: performance.now() - startMs };
}

/** Starts a command and kills it after a while; whether it had ended before does not matter. */
async function killed(afterMs: number, ...words: readonly string[]): Promise<void> {
  const child = Bun.spawn([BINARY, "db", ...words], {
    cwd: "/",
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  await Bun.sleep(afterMs);
  child.kill("SIGKILL");
  await child.exited;
}

/** Everything in a chain database, whatever its pages look like. */
function digestOf(path: string): string {
  using database = new Database(path, { readonly: true, strict: true, safeIntegers: true });
  const tables = database
    .query<{ name: string }, []>(
      "select name from sqlite_master where type = 'table' order by name",
    )
    .all();
  const hash = new Bun.CryptoHasher("sha256");
  for (const { name } of tables) {
    for (const row of database.query(`select * from "${name}"`).iterate()) {
      for (const value of Object.values(row as object)) {
        hash.update(value instanceof Uint8Array ? value : String(value));
      }
    }
  }
  return hash.digest("hex");
}

let folder: string;
let original: string;
let digest: string;

beforeAll(async () => {
  folder = temporaryFolder();
  original = join(folder, "original");
  await makeTrueChain(original, {
    blocks: BLOCKS,
    transactions: 8,
    retention: { keepProofs: 32, pruneHistory: "archive" },
  });
  digest = digestOf(join(original, "chain.db"));
}, 60_000);
afterAll(() => removeFolder(folder));

function copyOf(name: string): string {
  const path = join(folder, name);
  rmSync(path, { recursive: true, force: true });
  cpSync(original, path, { recursive: true });
  return path;
}

test("a backup is restored to the same chain, and the key goes along when asked", async () => {
  const backup = join(folder, "with-key");
  expect((await db("backup", backup, "--base-path", original, "--with-key")).code).toBe(0);
  expect(statSync(backup).mode & 0o777).toBe(0o600);
  expect(existsSync(`${backup}.tmp`)).toBe(false);
  const restored = join(folder, "restored");
  expect((await db("restore", backup, "--base-path", restored)).err).toBe("");
  expect(digestOf(join(restored, "chain.db"))).toBe(digest);
  expect(statSync(join(restored, "block-signing.key")).mode & 0o777).toBe(0o600);
  const { code, out } = await db("check", "--base-path", restored);
  expect(out).toContain(`no difference in ${BLOCKS + 1} blocks`);
  expect(out).not.toContain("signatures were not checked");
  expect(code).toBe(0);
}, 60_000);

test("a backup and a check work beside a running node; the others are refused", async () => {
  const live = join(folder, "live");
  mkdirSync(live);
  const chain: RunningChain = await startChain({ basePath: live });
  const send = () => chain.account(0).execute(transferCall("0x123", 1n), NO_ESTIMATE);
  const { transaction_hash } = await send();
  await chain.provider.waitForTransaction(transaction_hash, { retryInterval: 20 });
  const backup = join(folder, "live.backup");
  const made = await db("backup", backup, "--base-path", live);
  expect(made.err).toBe("");
  expect(made.out).toContain("contains: chain.db, mempool.db");
  expect((await db("check", "--base-path", live)).err).toBe("");
  expect((await db("info", "--base-path", live)).out).toContain("chain_id: APPCHAIN_DEVNET");
  for (const words of [["compact"], ["revert", "--to", "0", "--yes"]]) {
    const refused = await db(...words, "--base-path", live);
    expect(refused.err).toContain("in use by another process");
    expect(refused.code).toBe(1);
  }
  expect((await db("restore", backup, "--base-path", live)).code).toBe(1);
  await chain.stop();

  const copy = join(folder, "live-copy");
  expect((await db("restore", backup, "--base-path", copy)).code).toBe(0);
  const again = await startChain({ basePath: copy });
  const receipt = await again.provider.getTransactionReceipt(transaction_hash);
  expect(receipt.isSuccess()).toBe(true);
  await again.stop();
}, 60_000);

describe(`killed ${KILLS} times at any moment (FUZZ_SEED=${SEED})`, () => {
  test("a backup is there as a whole or not at all, and can be made again", async () => {
    const target = join(folder, "killed.backup");
    const whole = (await db("backup", join(folder, "timed.backup"), "--base-path", original)).ms;
    for (let kill = 0; kill < KILLS; kill++) {
      await killed(random.below(whole * 1.2), "backup", target, "--base-path", original);
      const isThere = existsSync(target);
      if (!isThere) expect((await db("backup", target, "--base-path", original)).err).toBe("");
      const restored = join(folder, `from-killed-${kill}`);
      expect((await db("restore", target, "--base-path", restored)).err).toBe("");
      expect(digestOf(join(restored, "chain.db"))).toBe(digest);
      rmSync(restored, { recursive: true });
      rmSync(target);
    }
    expect(digestOf(join(original, "chain.db"))).toBe(digest);
    expect(readdirSync(folder).filter((name) => name.startsWith("killed"))).toEqual([]);
  }, 600_000);

  test("a restore is done again, and a node refuses what is not whole", async () => {
    const backup = join(folder, "for-restore.backup");
    await db("backup", backup, "--base-path", original);
    const whole = (await db("restore", backup, "--base-path", join(folder, "timed"))).ms;
    for (let kill = 0; kill < KILLS; kill++) {
      const target = join(folder, `killed-restore-${kill}`);
      await killed(random.below(whole * 1.2), "restore", backup, "--base-path", target);
      const isWhole =
        existsSync(join(target, "chain.db")) && !existsSync(join(target, "restore.tmp"));
      if (!isWhole) expect((await db("restore", backup, "--base-path", target)).err).toBe("");
      expect(digestOf(join(target, "chain.db"))).toBe(digest);
      rmSync(target, { recursive: true });
    }
  }, 600_000);

  test("a compaction leaves the same chain", async () => {
    const target = copyOf("compacted");
    const whole = (await db("compact", "--base-path", target)).ms;
    for (let kill = 0; kill < KILLS; kill++) {
      await killed(random.below(whole * 1.2), "compact", "--base-path", target);
      expect(digestOf(join(target, "chain.db"))).toBe(digest);
    }
    expect((await db("compact", "--base-path", target)).err).toBe("");
    expect(readdirSync(target).filter((name) => name.includes("compact"))).toEqual([]);
    expect((await db("check", "--base-path", target)).code).toBe(0);
  }, 600_000);

  test("a revert is done or not, also where tries are built again", async () => {
    const whole = (await db("revert", "--to", "10", "--yes", "--base-path", copyOf("timed-revert")))
      .ms;
    const done = digestOf(join(folder, "timed-revert/chain.db"));
    for (let kill = 0; kill < KILLS; kill++) {
      const target = copyOf("reverted");
      const words = ["revert", "--to", "10", "--yes", "--base-path", target];
      await killed(random.below(whole * 1.2), ...words);
      expect([digest, done]).toContain(digestOf(join(target, "chain.db")));
      expect((await db(...words)).code).toBe(0);
      expect(digestOf(join(target, "chain.db"))).toBe(done);
    }
    expect((await db("check", "--base-path", join(folder, "reverted"))).err).toBe("");
  }, 600_000);
});

describe("a disk that is full", () => {
  test("leaves nothing of a backup, a compaction or a restore", async () => {
    const target = copyOf("full");
    const backup = join(folder, "before-full.backup");
    await db("backup", backup, "--base-path", target);
    const limited = async (words: string): Promise<Ran> => {
      // In blocks of 512 or 1024 bytes: below the size of the database in both.
      const child = Bun.spawn(
        ["sh", "-c", `trap '' XFSZ; ulimit -f 300; exec "$0" db ${words}`, BINARY],
        { cwd: folder, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
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
    expect(existsSync(join(folder, "full.backup"))).toBe(false);
    expect(existsSync(join(folder, "full.backup.tmp"))).toBe(false);
    expect(readdirSync(join(folder, "restored-full"))).toEqual(["lock.db"]);
    expect(digestOf(join(target, "chain.db"))).toBe(digest);
  }, 60_000);
});

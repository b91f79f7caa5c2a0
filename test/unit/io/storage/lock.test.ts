import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { StorageError } from "#base/errors/index.ts";
import { lockFolder } from "#io/storage/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const holder = `
  import { lockFolder } from "#io/storage/index.ts";
  lockFolder(process.argv.at(-1));
  console.log("locked");
  // Ends with whoever started it.
  process.stdin.on("end", () => process.exit()).resume();
`;

/** Generous, as a child starts slowly on a loaded machine. */
const TIMEOUT_MS = 60_000;

function spawnHolder(folder: string) {
  return Bun.spawn([process.execPath, "--eval", holder, "--", folder], {
    cwd: `${import.meta.dir}/../../..`,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
}

test(
  "lockFolder fails while another process holds the lock, and succeeds once it is killed",
  async () => {
    using folder = temporaryFolder();
    const child = spawnHolder(folder.path);
    try {
      const { value } = await child.stdout.getReader().read();
      expect(new TextDecoder().decode(value)).toBe("locked\n");
      expect(() => lockFolder(folder.path)).toThrow("is in use by another process");
    } finally {
      child.kill(9);
      await child.exited;
    }
    lockFolder(folder.path).release();
  },
  TIMEOUT_MS,
);

test("lockFolder rejects a second lock in the same process with its code", () => {
  using folder = temporaryFolder();
  const lock = lockFolder(folder.path);
  let code = "";
  try {
    lockFolder(folder.path);
  } catch (error) {
    if (error instanceof StorageError) code = error.code;
  }
  lock.release();
  expect(code).toBe("STORAGE_LOCKED");
});

test("a lock is held even if it is unreferenced", () => {
  using folder = temporaryFolder();
  for (let i = 0; i < 20; i++) lockFolder(folder.file(String(i)));
  Bun.gc(true);
  for (let i = 0; i < 20; i++) {
    expect(() => lockFolder(folder.file(String(i)))).toThrow("is in use by another process");
  }
});

test("a released folder can be locked again", () => {
  using folder = temporaryFolder();
  lockFolder(folder.path).release();
  lockFolder(folder.path).release();
});

test("lockFolder creates a missing folder", () => {
  using folder = temporaryFolder();
  lockFolder(folder.file("a/b")).release();
});

test("lockFolder names a damaged lock file", () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file("lock.db"), "notes of somebody".repeat(100));
  expect(() => lockFolder(folder.path)).toThrow(`${folder.file("lock.db")} is damaged: delete it`);
});

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  dataFolderOptions,
  type DataFolderRole,
  makeDataFolder,
  startOn,
} from "#test/helpers/data-folders.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

/** Damage applied to a file. */
const KINDS = ["gone", "empty", "cut", "changed", "another", "unreadable", "directory"] as const;
type Kind = (typeof KINDS)[number];

/** Expected result: the node starts, with a missing file created again, or refuses. */
type Outcome = "starts" | RegExp;

const ROLES: readonly DataFolderRole[] = ["sequencer", "full"];

const DIRECTORY = /FILE is not a file: .*; move it away/;
const UNREADABLE = /FILE cannot be read and written by the node's user: permission denied/;
const PLAIN = { directory: DIRECTORY, unreadable: UNREADABLE } as const;

const JOURNAL: Readonly<Record<Kind, Outcome>> = {
  gone: "starts",
  empty: "starts",
  cut: /FILE is damaged: it has \d+ bytes, expected \d+ or more\. .*; move it away/,
  changed: /FILE is damaged: the checksum .*; move it away/,
  another: /FILE belongs to another chain: .*move it away/,
  ...PLAIN,
};

/** The contents of such a file do not matter or are rebuilt. */
const REPLACEABLE: Readonly<Record<Kind, Outcome>> = {
  gone: "starts",
  empty: "starts",
  cut: "starts",
  changed: "starts",
  another: "starts",
  ...PLAIN,
};

const DAMAGED_CHAIN = {
  cut: /FILE is damaged: it has \d+ of \d+ bytes, .*appchain db restore FILE/,
  changed: /FILE is damaged: it does not start with a database header.*appchain db restore FILE/,
  ...PLAIN,
} as const;

const EXPECTED: Readonly<
  Record<DataFolderRole, Readonly<Record<string, Readonly<Record<Kind, Outcome>>>>>
> = {
  sequencer: {
    "chain.db": {
      gone: /FILE is missing, but block-signing.key, .*db restore FILE.*--new-chain .*--reset/,
      empty: /FILE is empty, but block-signing.key, .*db restore FILE.*--new-chain .*--reset/,
      another: /block-signing.key: another key signed block 0 .*put that key back/,
      ...DAMAGED_CHAIN,
    },
    "mempool.db": {
      gone: "starts",
      empty: "starts",
      cut: /FILE is damaged: it has .*put back a copy, or move it away/,
      changed: /FILE is damaged: it does not start .*put back a copy, or move it away/,
      another: /FILE belongs to another chain: .*Restore the file of this chain, or move it away/,
      ...PLAIN,
    },
    "compiled.db": REPLACEABLE,
    "execution.journal": JOURNAL,
    "commit.journal": JOURNAL,
    "validation.journal": JOURNAL,
    "validation-0.journal": JOURNAL,
    "disk.probe": REPLACEABLE,
    "lock.db": REPLACEABLE,
    "block-signing.key": {
      gone: /FILE: the key that signed the blocks .*put it back/,
      empty: /FILE: expected the block-signing key .*put back a copy/,
      cut: /FILE: .*put back a copy/,
      changed: /FILE: .*put back a copy/,
      another: /FILE: another key signed block 0 .*put that key back/,
      directory: /FILE: the file with the block-signing key cannot be read/,
      unreadable: /FILE: the file with the block-signing key cannot be read/,
    },
  },
  full: {
    "chain.db": {
      gone: "starts",
      empty: "starts",
      another: "starts",
      ...DAMAGED_CHAIN,
    },
    "compiled.db": REPLACEABLE,
    "disk.probe": REPLACEABLE,
    "lock.db": REPLACEABLE,
  },
};

let root: TemporaryFolder;
beforeAll(async () => {
  root = temporaryFolder();
  for (const role of ROLES) {
    for (const [name, price] of [
      ["own", 1n],
      ["other", 2n],
    ] as const) {
      const folder = root.file(`${role}-${name}`);
      await makeDataFolder(await dataFolderOptions(role, folder), price);
    }
  }
}, 60_000);
afterAll(() => root[Symbol.dispose]());

function spoil(path: string, kind: Kind, other: string): void {
  const bytes = readFileSync(path);
  if (kind === "gone" || kind === "directory") rmSync(path);
  if (kind === "directory") mkdirSync(path);
  if (kind === "empty") truncateSync(path, 0);
  if (kind === "cut") truncateSync(path, bytes.length >> 1);
  if (kind === "another") cpSync(other, path);
  if (kind === "unreadable") chmodSync(path, 0);
  if (kind !== "changed") return;
  // No checksum covers a byte inside a page: `db check` finds it.
  const at = path.endsWith(".db") ? 0 : bytes.length >> 1;
  const changed = bytes.length === 0 ? Buffer.alloc(1) : bytes;
  changed[at] = (changed[at] ?? 0) ^ 0xff;
  writeFileSync(path, changed);
}

/** Names and contents of the files, without traces of read access. */
function contentsOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/^lock\.db|-(wal|shm)$/.test(entry.name),
  );
  const contentOf = (path: string): string =>
    (statSync(path).mode & 0o400) === 0 ? "unreadable" : String(Bun.hash(readFileSync(path)));
  return Object.fromEntries(names.map(({ name }) => [name, contentOf(join(folder, name))]));
}

for (const role of ROLES) {
  describe(`a ${role} node whose`, () => {
    test("folder is intact starts, and has a file for each name in this test", async () => {
      const folder = root.file(`${role}-own`);
      expect(Object.keys(contentsOf(folder)).sort()).toEqual(
        Object.keys(EXPECTED[role])
          .filter((name) => name !== "lock.db")
          .sort(),
      );
      expect(await startOn(await dataFolderOptions(role, folder))).toBeUndefined();
    });

    for (const [name, outcomes] of Object.entries(EXPECTED[role])) {
      for (const kind of KINDS) {
        const expected = outcomes[kind];
        // Root can read every file.
        if (kind === "unreadable" && process.getuid?.() === 0) continue;
        test(`${name} is ${kind} ${expected === "starts" ? "starts" : "is refused"}`, async () => {
          const folder = root.file(`${role}-${name}-${kind}`);
          cpSync(root.file(`${role}-own`), folder, { recursive: true });
          const path = join(folder, name);
          spoil(path, kind, root.file(`${role}-other/${name}`));
          const before = contentsOf(folder);
          const refusal = await startOn(await dataFolderOptions(role, folder));
          if (expected === "starts") expect(refusal).toBeUndefined();
          else {
            expect(refusal?.replaceAll(path, "FILE")).toMatch(expected);
            expect(contentsOf(folder)).toEqual(before);
          }
          rmSync(folder, { recursive: true });
        });
      }
    }
  });
}

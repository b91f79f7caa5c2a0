import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { StorageError } from "#base/errors/index.ts";
import { openBackup } from "#io/storage/index.ts";
import { manifestText, readManifest } from "#io/storage/backup/manifest.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const MANIFEST = {
  chainId: "SN_TEST",
  schemaVersion: 2,
  newestBlock: 7,
  program: "1.2.3",
  createdAt: "1970-01-01T00:00:00.000Z",
  parts: [
    { name: "chain.db", sizeBytes: 4096 },
    { name: "block-signing.key", sizeBytes: 4 },
  ],
} as const;

function reasonOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof StorageError && error.code === "STORAGE_BACKUP_DAMAGED") {
      return error.message;
    }
    throw error;
  }
  return "";
}

const refused = (change: object): string =>
  reasonOf(() => readManifest(JSON.stringify({ format: 1, ...MANIFEST, ...change }), "/b"));

describe("the manifest of a backup", () => {
  test("is read as written, without unknown members", () => {
    expect(readManifest(manifestText(MANIFEST), "/b")).toEqual(MANIFEST);
    expect(refused({ later: 5 })).toBe("");
    const empty = { ...MANIFEST, newestBlock: null };
    expect(readManifest(manifestText(empty), "/b")).toEqual(empty);
  });

  test("names the invalid member", () => {
    expect(refused({ format: 2 })).toContain("format is damaged: expected 1; use a newer program");
    expect(refused({ chainId: "a b" })).toContain("chainId");
    expect(refused({ schemaVersion: -1 })).toContain("schemaVersion");
    expect(refused({ schemaVersion: "2" })).toContain("schemaVersion");
    expect(refused({ program: "\u001b[31m" })).toContain("program");
    expect(refused({ createdAt: "now" })).toContain("createdAt");
    expect(reasonOf(() => readManifest("[]", "/b"))).toContain("expected an object");
    expect(reasonOf(() => readManifest("{", "/b"))).toContain("expected JSON");
  });

  test("requires known parts, each once and in order, the chain first", () => {
    const [chain, key] = MANIFEST.parts;
    for (const parts of [
      [],
      [key],
      [key, chain],
      [chain, chain],
      [chain, { ...key, name: "../etc/passwd" }],
      [chain, key, key, key],
      [{ ...chain, sizeBytes: -1 }],
      [{ ...chain, sizeBytes: 2 ** 53 }],
      [5],
      5,
    ]) {
      expect(refused({ parts })).toContain("parts is damaged");
    }
  });

  test("is not read if it is too long", () => {
    using folder = temporaryFolder();
    const path = folder.file("long");
    const text = JSON.stringify({ format: 1, ...MANIFEST, pad: "x".repeat(70_000) });
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    const magic = Buffer.from("appchain-backup1");
    writeFileSync(
      path,
      Buffer.concat([Buffer.alloc(4100), Buffer.from(text), length, magic, Buffer.alloc(32)]),
    );
    expect(reasonOf(() => openBackup(path))).toContain("its manifest is damaged");
  });
});

import { describe, expect, test } from "bun:test";
import { parseJson } from "#base/codec/index.ts";
import { decodeManifest, requireWhole, type SnapshotManifest } from "#services/snapshot/index.ts";
import { encodeManifest } from "#services/snapshot/manifest.ts";

const SHA = "ab".repeat(32);

const manifest: SnapshotManifest = {
  chainId: "SN_TEST",
  blockNumber: 3,
  blockHash: 0x123n,
  stateRoot: 0x456n,
  newestBlock: 4,
  files: [
    { name: "block-000000.bin", kind: "block", rows: 1, sizeBytes: 10, sha256: SHA },
    { name: "headers-000000.bin", kind: "headers", rows: 3, sizeBytes: 10, sha256: SHA },
    { name: "storage-000000.bin", kind: "storage", rows: 5, sizeBytes: 64 * 2 ** 20, sha256: SHA },
    { name: "storage-000001.bin", kind: "storage", rows: 5, sizeBytes: 10, sha256: SHA },
    { name: "bundles-000000.bin", kind: "bundles", rows: 1, sizeBytes: 10, sha256: SHA },
  ],
};

type Json = Record<string, unknown> & { files: Record<string, unknown>[] };

/** The manifest as JSON, changed. */
function changed(change: (json: Json) => unknown): Uint8Array {
  const json = parseJson(new TextDecoder().decode(encodeManifest(manifest))) as unknown as Json;
  const copy = structuredClone(json);
  change(copy);
  return new TextEncoder().encode(JSON.stringify(copy));
}

function refusal(bytes: Uint8Array): string {
  try {
    requireWhole(decodeManifest(bytes));
    return "none";
  } catch (error) {
    return (error as Error).message;
  }
}

test("round-trips", () => {
  const bytes = encodeManifest(manifest);
  expect(decodeManifest(bytes)).toEqual(manifest);
  requireWhole(manifest);
});

describe("is refused if it", () => {
  const first = (json: Json) => json.files[0] ?? {};
  const rows: readonly (readonly [string, (json: Json) => unknown, string])[] = [
    ["has another form", (json) => (json["format"] = 0), "format: expected 1"],
    ["is of a newer program", (json) => (json["format"] = 2), "use a newer program"],
    ["has an extra member", (json) => (json["more"] = 1), "more: expected no such member"],
    ["lacks the hash", (json) => delete json["block_hash"], "block_hash: expected felt"],
    ["has a malformed hash", (json) => (json["block_hash"] = "12"), "block_hash"],
    ["has a negative number", (json) => (json["block_number"] = -1), "block_number"],
    ["has a fractional number", (json) => (json["newest_block"] = 4.5), "newest_block"],
    ["ends before its block", (json) => (json["newest_block"] = 2), "newest_block: expected"],
    ["has a chain id with a line break", (json) => (json["chain_id"] = "A\nB"), "chain_id"],
    ["has a long chain id", (json) => (json["chain_id"] = "A".repeat(32)), "chain_id"],
    [
      "has a path outside its folder",
      (json) => (first(json)["name"] = "../block"),
      "files[0].name",
    ],
    ["names an absolute path", (json) => (first(json)["name"] = "/etc/passwd"), "files[0].name"],
    ["names another file", (json) => (first(json)["name"] = "manifest.json"), "files[0].name"],
    ["has an unknown kind", (json) => (first(json)["kind"] = "keys"), "files[0].kind"],
    ["has an empty file", (json) => (first(json)["size_bytes"] = 0), "files[0].size_bytes"],
    [
      "has a file that is too long",
      (json) => (first(json)["size_bytes"] = 64 * 2 ** 20 + 1),
      "files[0].size_bytes",
    ],
    ["has a file without rows", (json) => (first(json)["rows"] = 0), "files[0].rows"],
    ["has a short checksum", (json) => (first(json)["sha256"] = "ab"), "files[0].sha256"],
    ["has capital digits", (json) => (first(json)["sha256"] = SHA.toUpperCase()), "sha256"],
    ["names a file twice", (json) => json.files.splice(1, 0, first(json)), "files[1].name"],
    ["skips a file number", (json) => json.files.splice(2, 1), "files[2].name"],
    ["has another order", (json) => json.files.reverse(), "files["],
    ["has no block", (json) => json.files.shift(), "files: expected 1 rows of kind block"],
    [
      "lacks headers",
      (json) => Object.assign(json.files[1] ?? {}, { rows: 2 }),
      "3 rows of kind headers, found 2",
    ],
    ["lacks a bundle", (json) => json.files.pop(), "1 rows of kind bundles, found 0"],
    ["has too many files", (json) => (json.files = Array(65_537).fill(first(json))), "files"],
  ];
  for (const [name, change, expected] of rows) {
    test(name, () => {
      const found = refusal(changed(change));
      expect(found).toStartWith("the snapshot is wrong: manifest.json: ");
      expect(found).toContain(expected);
    });
  }

  test("has a member with an endless name", () => {
    const found = refusal(changed((json) => (json["x".repeat(100_000)] = 1)));
    expect(found.length).toBeLessThan(1_000);
  });

  test("is not JSON, not text, or nested endlessly", () => {
    const texts = ["", "{", "null", "[]", `${"[".repeat(100_000)}`, "\u0000"];
    for (const text of texts) {
      expect(refusal(new TextEncoder().encode(text))).toStartWith(
        "the snapshot is wrong: manifest",
      );
    }
    expect(refusal(Uint8Array.of(0xff, 0xfe))).toContain("UTF-8");
  });
});

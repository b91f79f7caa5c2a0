import { type Felt, feltFromShortString, hexFromFelt } from "#base/primitives/index.ts";
import {
  type BlockBundle,
  type BlockHeader,
  blockHashMismatch,
  decodeBundle,
} from "#protocol/chain/index.ts";
import { NEWEST_PROTOCOL_VERSION } from "#protocol/versions/index.ts";
import type { ReadableFolder } from "#io/folders/index.ts";
import { checkBundle } from "#services/sync/index.ts";
import { rowsOf } from "./file-form.ts";
import { MANIFEST, type SnapshotKind } from "./kinds.ts";
import type { SnapshotManifest } from "./manifest.ts";
import { readSnapshotFile } from "./read-file.ts";
import type { RowOf } from "./rows.ts";
import { decoded, wrongSnapshot } from "./wrong.ts";

/** Identifies the trusted block by its hash, the signing key, or both; at least one is set. */
export interface SnapshotTrust {
  readonly blockHash: Felt | null;
  /** Public key of the chain's block signer. */
  readonly publicKey: Felt | null;
}

/** Verified block of a snapshot, and the headers before it that later blocks need. */
export interface SnapshotBlock {
  readonly bundle: BlockBundle;
  /** Headers of the blocks before it, ascending. */
  readonly headers: readonly BlockHeader[];
}

/**
 * Reads the block of a snapshot and performs every check that needs no state, like sync: trust, block hash,
 * commitments and transaction hashes; also the chain of headers before it.
 *
 * @throws {StorageError} STORAGE_SNAPSHOT_WRONG naming the file and the value
 * @throws as {@link ReadableFolder.read}
 */
export async function checkBlock(
  source: ReadableFolder,
  manifest: SnapshotManifest,
  trust: SnapshotTrust,
): Promise<SnapshotBlock> {
  if (trust.blockHash !== null) {
    requireSame(MANIFEST, "block_hash", trust.blockHash, manifest.blockHash);
  }
  const chainId = feltFromShortString(manifest.chainId);
  const [{ name, rows }, headerFile] = [
    await allRows(source, manifest, "block"),
    await allRows(source, manifest, "headers"),
  ];
  const bundle = checkedBundle(name, rows[0], manifest, trust);
  checkHeaders(headerFile, bundle.block.header, chainId);
  return { bundle, headers: headerFile.rows };
}

/** Reads all rows of a kind that has few rows. */
async function allRows<K extends SnapshotKind>(
  source: ReadableFolder,
  { files }: SnapshotManifest,
  kind: K,
): Promise<{ readonly name: string; readonly rows: readonly RowOf[K][] }> {
  const rows: RowOf[K][] = [];
  let name: string = kind;
  for (const file of files) {
    if (file.kind !== kind) continue;
    ({ name } = file);
    const end = rows.length + file.rows;
    for (const row of rowsOf(kind, name, await readSnapshotFile(source, file))) {
      if (rows.length === end) throw wrongSnapshot(name, `expected ${file.rows} rows, found more`);
      rows.push(row);
    }
    if (rows.length < end) throw wrongSnapshot(name, `expected ${file.rows} rows, found fewer`);
  }
  return { name, rows };
}

function checkedBundle(
  file: string,
  row: Uint8Array = new Uint8Array(),
  { chainId, blockNumber, blockHash, stateRoot }: SnapshotManifest,
  { publicKey }: SnapshotTrust,
): BlockBundle {
  const text = new Uint8Array(row);
  const outcome = checkBundle(
    { blockNumber, text, publicKey },
    { chainId: feltFromShortString(chainId), newestVersion: NEWEST_PROTOCOL_VERSION },
  );
  if (outcome.kind === "refused") throw wrongSnapshot(file, outcome.refusal.message);
  const bundle = decoded(file, () => decodeBundle(text));
  requireSame(file, "block_hash", blockHash, bundle.block.header.hash);
  requireSame(file, "state_root", stateRoot, bundle.block.header.newRoot);
  return bundle;
}

function checkHeaders(
  { name, rows }: { readonly name: string; readonly rows: readonly BlockHeader[] },
  newest: BlockHeader,
  chainId: Felt,
): void {
  let next = newest;
  for (const header of rows.toReversed()) {
    const { number, parentHash } = next;
    requireSame(name, `number of the header before ${number}`, number - 1, header.number);
    requireSame(name, `hash of the header of block ${header.number}`, parentHash, header.hash);
    const mismatch = blockHashMismatch(header, chainId);
    if (mismatch !== undefined) {
      const found = difference(mismatch.expected, mismatch.found);
      throw wrongSnapshot(name, `block_hash of block ${header.number}: ${found}`);
    }
    next = header;
  }
}

function requireSame(
  file: string,
  what: string,
  expected: Felt | number,
  found: Felt | number | undefined,
): void {
  if (expected !== found) throw wrongSnapshot(file, `${what}: ${difference(expected, found)}`);
}

function difference(expected: Felt | number, found: Felt | number | undefined): string {
  return `expected ${shown(expected)}, found ${shown(found)}`;
}

function shown(value: Felt | number | undefined): string {
  if (value === undefined) return "nothing";
  return typeof value === "bigint" ? hexFromFelt(value) : String(value);
}

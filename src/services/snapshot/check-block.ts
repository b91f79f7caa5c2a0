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

/** What a block is recognized by: at least one of both. */
export interface SnapshotTrust {
  /** Of the block of the snapshot. */
  readonly blockHash: Felt | null;
  /** Of the key that signs the chain's blocks. */
  readonly publicKey: Felt | null;
}

/** The block of a snapshot, which is the one that was meant, and what later blocks need of those before. */
export interface SnapshotBlock {
  readonly bundle: BlockBundle;
  /** Of the blocks before it, ascending. */
  readonly headers: readonly BlockHeader[];
}

/**
 * Reads the block of a snapshot and does every check of it that needs no state, as sync does: what it is
 * trusted for, its hash, its commitments, its transactions' hashes; and the chain of headers before it.
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

/** Of a kind that has few rows, all of them. */
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

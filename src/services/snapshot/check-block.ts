import { type Felt, feltFromShortString, hexFromFelt } from "#base/primitives/index.ts";
import {
  type BlockBundle,
  type BlockHeader,
  blockHashMismatch,
  commitmentMismatch,
  computeCommitments,
  decodeBundle,
  deployedAddressMismatch,
  l1MessageHash,
  type Mismatch,
  signatureMismatch,
  transactionHashMismatch,
} from "#protocol/chain/index.ts";
import {
  compareProtocolVersions,
  isProtocolVersion,
  NEWEST_PROTOCOL_VERSION,
} from "#protocol/versions/index.ts";
import type { ReadableFolder } from "#io/folders/index.ts";
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
 * Reads the block of a snapshot and all that can be computed of it without a state: what it is trusted for,
 * its hash, its commitments, its transactions' hashes, and the chain of headers before it.
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
  const bundle = decoded(name, () => decodeBundle(rows[0] ?? new Uint8Array()));
  checkBundle(name, bundle, manifest, chainId);
  if (trust.publicKey !== null) checkSignature(name, bundle, trust.publicKey);
  checkHeaders(headerFile, bundle.block.header, chainId);
  return { bundle, headers: headerFile.rows };
}

/** Of a kind that is in few files, all rows. */
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
    rows.push(...rowsOf(kind, name, await readSnapshotFile(source, file)));
  }
  return { name, rows };
}

function checkBundle(
  file: string,
  { block, inputs }: BlockBundle,
  manifest: SnapshotManifest,
  chainId: Felt,
): void {
  const { header, transactions } = block;
  const { number: blockNumber, protocolVersion } = header;
  requireSame(file, "number of the block", manifest.blockNumber, blockNumber);
  requireVersion(file, protocolVersion);
  requireSame(file, "block_hash", manifest.blockHash, header.hash);
  requireSame(file, "state_root", manifest.stateRoot, header.newRoot);
  for (const [index, transaction] of transactions.entries()) {
    refuse(file, transactionHashMismatch(transaction, { chainId, blockNumber, index }));
    refuse(file, deployedAddressMismatch(transaction.transaction, index));
  }
  const commitments = computeCommitments(block, protocolVersion);
  refuse(file, commitmentMismatch(commitments, header));
  refuse(file, blockHashMismatch({ ...header, ...commitments }, chainId));
  const consumed = new Map(inputs.l1Messages.map((each) => [each.transactionHash, each]));
  for (const { hash, transaction } of transactions) {
    if (transaction.type !== "L1_HANDLER") continue;
    const told = consumed.get(hash);
    requireSame(file, "nonce of a message from L1", transaction.nonce, told?.nonce);
    requireSame(file, "hash of a message from L1", l1MessageHash(transaction), told?.messageHash);
    consumed.delete(hash);
  }
  requireSame(file, "messages from L1 without a transaction", 0, consumed.size);
}

function requireVersion(file: string, version: string): void {
  const isKnown =
    version === "" ||
    (isProtocolVersion(version) && compareProtocolVersions(version, NEWEST_PROTOCOL_VERSION) <= 0);
  if (isKnown) return;
  const shown = version.slice(0, 32).replace(/[^A-Za-z0-9_.-]/gu, "?");
  const expected = `expected at most ${NEWEST_PROTOCOL_VERSION}, the newest that this program knows`;
  throw wrongSnapshot(file, `protocol version: ${expected}, found ${shown}; use a newer program`);
}

function checkSignature(file: string, { block }: BlockBundle, publicKey: Felt): void {
  const { header, signature, stateDiff } = block;
  if (signatureMismatch(publicKey, header, signature, stateDiff) === undefined) return;
  const expected = `one of block ${hexFromFelt(header.hash)} by the key ${hexFromFelt(publicKey)}`;
  const found = `r ${hexFromFelt(signature.r)}, s ${hexFromFelt(signature.s)}`;
  throw wrongSnapshot(file, `signature: expected ${expected}, found ${found}`);
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
    refuse(name, blockHashMismatch(header, chainId));
    next = header;
  }
}

function refuse(file: string, mismatch: Mismatch | undefined): void {
  if (mismatch === undefined) return;
  const { check, index, expected, found } = mismatch;
  const place = index === null ? "" : ` of transaction ${index}`;
  throw wrongSnapshot(file, `${check}${place}: ${difference(expected, found)}`);
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

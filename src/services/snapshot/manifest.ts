import {
  array,
  felt,
  integer,
  literal,
  parseJson,
  strictObject,
  stringifyJson,
  textOf,
} from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  fileName,
  KINDS,
  MANIFEST,
  MAX_FILE_BYTES,
  MAX_FILES,
  type SnapshotKind,
} from "./kinds.ts";
import { decoded } from "./wrong.ts";

/** File of a snapshot. Its name follows from its kind and its index within the kind. */
export interface SnapshotFile {
  readonly name: string;
  readonly kind: SnapshotKind;
  readonly rows: number;
  readonly sizeBytes: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/** Description of a snapshot. It proves nothing: its author may have written anything. */
export interface SnapshotManifest {
  readonly chainId: string;
  /** Block after which the state was taken. */
  readonly blockNumber: number;
  readonly blockHash: Felt;
  /** State root after the block. */
  readonly stateRoot: Felt;
  /** Newest block whose bundle is included; equals `blockNumber` if there are no later bundles. */
  readonly newestBlock: number;
  /** Files grouped by kind, in the order of {@link KINDS}. */
  readonly files: readonly SnapshotFile[];
}

/** Maximum size of a manifest in bytes: 200 per file. */
export const MAX_MANIFEST_BYTES: number = 200 * MAX_FILES;

/** Version of the manifest format. */
const FORMAT = 1;

const DEPTH = 3;

const fields = strictObject({
  format: literal(FORMAT),
  chain_id: textOf({ pattern: /^[\x21-\x7e]{1,31}$/, describe: "chain id" }),
  block_number: integer(),
  block_hash: felt,
  state_root: felt,
  newest_block: integer(),
  files: array(
    strictObject({
      name: textOf({ maxLength: 40 }),
      kind: literal(...KINDS),
      rows: integer(1),
      size_bytes: integer(1, MAX_FILE_BYTES),
      sha256: textOf({ pattern: /^[0-9a-f]{64}$/, describe: "64 hex digits" }),
    }),
    { maxLength: MAX_FILES },
  ),
});

/** Encodes a manifest as JSON. */
export function encodeManifest(manifest: SnapshotManifest): Uint8Array<ArrayBuffer> {
  const { chainId, blockNumber, blockHash, stateRoot, newestBlock, files } = manifest;
  const members = {
    format: FORMAT,
    chain_id: chainId,
    block_number: blockNumber,
    block_hash: blockHash,
    state_root: stateRoot,
    newest_block: newestBlock,
    files: files.map(({ sizeBytes, ...file }) => ({ ...file, size_bytes: sizeBytes })),
  } as const;
  return new TextEncoder().encode(stringifyJson(fields.encode(members)));
}

/**
 * Decodes a manifest. Checks names, their order and required members, but no hash.
 *
 * @throws {StorageError} STORAGE_SNAPSHOT_WRONG naming the member
 */
export function decodeManifest(bytes: Uint8Array, name: string = MANIFEST): SnapshotManifest {
  return decoded(name, () => {
    const value = parseJson(textFrom(bytes), { maxDepth: DEPTH + 1 });
    requireFormat(value);
    const read = fields.decode(value, "");
    const manifest = {
      chainId: read.chain_id,
      blockNumber: read.block_number,
      blockHash: read.block_hash,
      stateRoot: read.state_root,
      newestBlock: read.newest_block,
      files: read.files.map(({ size_bytes, ...file }) => ({ ...file, sizeBytes: size_bytes })),
    };
    requireNames(manifest.files);
    if (manifest.newestBlock < manifest.blockNumber) {
      throw new DecodeError("newest_block", `at least block_number, ${manifest.blockNumber}`);
    }
    return manifest;
  });
}

/**
 * Requires that a manifest describes a complete snapshot.
 *
 * @throws {StorageError} STORAGE_SNAPSHOT_WRONG naming the missing part
 */
export function requireWhole({ files, blockNumber, newestBlock }: SnapshotManifest): void {
  decoded(MANIFEST, () => {
    const rowsOf = (kind: SnapshotKind): number =>
      files.reduce((sum, file) => (file.kind === kind ? sum + file.rows : sum), 0);
    requireRows("block", rowsOf("block"), 1);
    requireRows("headers", rowsOf("headers"), Math.min(blockNumber, HEADERS));
    requireRows("bundles", rowsOf("bundles"), newestBlock - blockNumber);
  });
}

/** Number of headers before the block that later blocks need. */
const HEADERS = 10;

function requireRows(kind: SnapshotKind, found: number, expected: number): void {
  if (found === expected) return;
  throw new DecodeError("files", `${expected} rows of kind ${kind}, found ${found}`);
}

function textFrom(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new DecodeError("", "UTF-8 text", { cause });
  }
}

/** Rejects newer formats before strict decoding, because they may have unknown members. */
function requireFormat(value: unknown): void {
  const { format } = (value ?? {}) as { readonly format?: unknown };
  if (!Number.isSafeInteger(format) || (format as number) <= FORMAT) return;
  throw new DecodeError("format", `${FORMAT}, as this program reads it; use a newer program`);
}

function requireNames(files: readonly SnapshotFile[]): void {
  let kind = 0;
  let index = 0;
  for (const [at, file] of files.entries()) {
    const found = KINDS.indexOf(file.kind);
    if (found < kind)
      throw new DecodeError(`files[${at}].kind`, `a kind not before ${KINDS[kind]}`);
    if (found > kind) index = 0;
    kind = found;
    const expected = fileName(file.kind, index++);
    if (file.name !== expected) throw new DecodeError(`files[${at}].name`, expected);
  }
}

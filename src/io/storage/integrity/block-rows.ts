import { blobFromUint, uintFromBlob } from "../blob.ts";
import { fixed } from "../chain-statements.ts";
import { casmDigest } from "../class/digest.ts";
import { unpackVersion } from "../class/version.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import { CHUNK_SIZE, chunkId, packLocation, unpackChunk } from "../transactions/chunk.ts";
import { hashPrefix } from "../transactions/reader.ts";
import type { BlockRow, ChunkRow, ClassRow, L1MessageRow } from "./rows.ts";

/** Number of hashes in memory at a time. */
const CLASSES_PER_PAGE = 256;

/**
 * Stored rows of single blocks.
 *
 * Methods throw {@link DecodeError} or a decompression error when a row is damaged.
 */
export class BlockRows {
  readonly #selectBlock;
  readonly #selectByHash;
  readonly #selectStateDiff;
  readonly #selectChunks;
  readonly #selectLocation;
  readonly #selectMessages;
  readonly #selectClass;
  readonly #selectOlderClasses;

  constructor(statements: StatementFactory<ChainSchema>) {
    this.#selectBlock = statements.of<[number: number]>()((db, [number]) =>
      db
        .selectFrom("block")
        .select(["hash", "header", "signature_r", "signature_s", "inputs", "last_node_id"])
        .where("number", "=", number),
    );
    this.#selectByHash = statements.of<[hash: Uint8Array]>()((db, [hash]) =>
      db.selectFrom("block").select("number").where("hash", "=", hash),
    );
    this.#selectStateDiff = statements.of<[number: number]>()((db, [number]) =>
      db.selectFrom("block_state_diff").select("diff").where("block", "=", number),
    );
    this.#selectChunks = statements.of<[from: number, below: number]>()((db, [from, below]) =>
      db
        .selectFrom("transaction_chunk")
        .select(["id", "items"])
        .where("id", ">=", fixed(from))
        .where("id", "<", fixed(below))
        .orderBy("id"),
    );
    this.#selectLocation = statements.of<[prefix: number, location: number]>()(
      (db, [prefix, location]) =>
        db
          .selectFrom("transaction_index")
          .select("prefix")
          .where("prefix", "=", prefix)
          .where("location", "=", location),
    );
    this.#selectMessages = statements.of<[block: number]>()((db, [block]) =>
      db
        .selectFrom("l1_message")
        .select(["nonce", "position", "transaction_hash", "l1_transaction_hash"])
        .where("block", "=", block),
    );
    this.#selectOlderClasses = statements.of<[from: Uint8Array, below: number]>()(
      (db, [from, below]) =>
        db
          .selectFrom("class")
          .select("hash")
          .where("hash", ">=", fixed(from))
          .where("declared_block", "<", fixed(below))
          .orderBy("hash")
          .limit(CLASSES_PER_PAGE),
    );
    this.#selectClass = statements.of<[hash: Uint8Array]>()((db, [hash]) =>
      db
        .selectFrom("class")
        .select([
          "declared_block",
          "definition",
          "casm",
          "casm_digest",
          "sierra_version",
          "sierra_program_length",
          "abi_length",
        ])
        .where("hash", "=", hash),
    );
  }

  block(number: number): BlockRow | undefined {
    const row = this.#selectBlock.get(number);
    if (row === undefined) return undefined;
    return {
      hash: uintFromBlob(row.hash),
      header: row.header,
      signature: { r: uintFromBlob(row.signature_r), s: uintFromBlob(row.signature_s) },
      inputs: row.inputs,
      lastNodeId: Number(row.last_node_id),
    };
  }

  /** Returns the block number that the index has for a hash. */
  numberByHash(hash: bigint): number | undefined {
    const row = this.#selectByHash.get(blobFromUint(hash));
    return row === undefined ? undefined : Number(row.number);
  }

  /** Returns the output of `encodeStateDiff`. */
  stateDiff(number: number): Uint8Array | undefined {
    const row = this.#selectStateDiff.get(number);
    return row === undefined ? undefined : Bun.zstdDecompressSync(row.diff);
  }

  /** Returns the rows of a block's transactions; `undefined` if they are not consecutive. */
  chunks(number: number): ChunkRow[] | undefined {
    const first = chunkId(number, 0);
    const rows = this.#selectChunks.all(first, chunkId(number + 1, 0));
    if (rows.some(({ id }, i) => Number(id) !== first + i)) return undefined;
    const chunks = rows.map(({ items }) => unpackChunk(items));
    const isWhole = chunks
      .slice(0, -1)
      .every(({ transactions }) => transactions.length === CHUNK_SIZE);
    return isWhole ? chunks : undefined;
  }

  isIndexed(transactionHash: bigint, number: number, index: number): boolean {
    const location = packLocation(number, index);
    return this.#selectLocation.get(hashPrefix(transactionHash), location) !== undefined;
  }

  /** Returns the messages that a block consumed, unordered. */
  l1Messages(number: number): L1MessageRow[] {
    return this.#selectMessages.all(number).map((row) => ({
      nonce: uintFromBlob(row.nonce),
      position: Number(row.position),
      transactionHash: uintFromBlob(row.transaction_hash),
      l1TransactionHash:
        row.l1_transaction_hash === null ? null : uintFromBlob(row.l1_transaction_hash),
    }));
  }

  /** Returns a page of hashes of classes declared below a block, after a given hash, in byte order. */
  classesBelow(block: number, behind: bigint | undefined): bigint[] {
    const from = blobFromUint(behind ?? 0n);
    return this.#selectOlderClasses
      .all(from, block)
      .map(({ hash }) => uintFromBlob(hash))
      .filter((hash) => hash !== behind);
  }

  class(hash: bigint): ClassRow | undefined {
    const row = this.#selectClass.get(blobFromUint(hash));
    if (row === undefined) return undefined;
    return {
      declaredBlock: Number(row.declared_block),
      definition: Bun.zstdDecompressSync(row.definition),
      casmJson:
        row.casm === null
          ? null
          : new TextDecoder("utf-8", { fatal: true }).decode(Bun.zstdDecompressSync(row.casm)),
      isCasmWhole: isDigestOf(row.casm_digest, row.casm),
      sierraVersion: unpackVersion(row.sierra_version),
      sierraProgramLength: Number(row.sierra_program_length),
      abiLength: Number(row.abi_length),
    };
  }
}

function isDigestOf(digest: Uint8Array | null, casm: Uint8Array | null): boolean {
  if (digest === null || casm === null) return digest === casm;
  return Buffer.compare(digest, casmDigest(casm)) === 0;
}

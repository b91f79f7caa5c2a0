import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import {
  decodeContractClass,
  decodeTransaction,
  type DeclareV2,
  type DeclareV3,
  encodeContractClass,
  type EncodedTransaction,
  encodeUnhashed,
  type SierraClass,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** A declaration as it is sent: with its class, and without the class's hash. */
export interface Declaration {
  readonly transaction: Omit<DeclareV2, "classHash"> | Omit<DeclareV3, "classHash">;
  readonly contractClass: SierraClass;
}

/** A declaration of a Sierra class. */
export type SierraDeclare = DeclareV2 | DeclareV3;

/** What {@link decodeDeclaration} reads. */
export interface DecodedDeclaration {
  /** Without its own hash, and with 0 in the place of the class hash. */
  readonly transaction: SierraDeclare;
  readonly contractClass: SierraClass;
  /** The class of `encodeContractClass`. */
  readonly classBytes: Uint8Array;
}

/** In the place of a class hash that is not computed yet. */
const NO_HASH: Felt = 0n;

/** A declaration as bytes, for the way to the thread that hashes it. */
export function encodeDeclaration(declaration: Declaration): Uint8Array<ArrayBuffer> {
  const classBytes = encodeContractClass(declaration.contractClass);
  const writer = new ByteWriter(classBytes.byteLength + 1024);
  writer.bytes(encodeUnhashed({ ...declaration.transaction, classHash: NO_HASH }));
  writer.raw(classBytes);
  return writer.finish();
}

/**
 * Undoes {@link encodeDeclaration}; the class bytes are a view into `bytes`.
 *
 * @throws {DecodeError} when the bytes are not a declaration of a Sierra class
 */
export function decodeDeclaration(bytes: Uint8Array): DecodedDeclaration {
  const reader = new ByteReader(bytes, "declaration");
  const { transaction } = decodeSierraDeclare(reader.bytes());
  const classBytes = reader.raw(reader.remaining);
  const contractClass = decodeContractClass(classBytes);
  if (contractClass.kind !== "sierra") throw new DecodeError("declaration", "a Sierra class");
  return { transaction, contractClass, classBytes };
}

/**
 * An encoded transaction that declares a Sierra class.
 *
 * @throws {DecodeError} when the bytes are not one
 */
export function decodeSierraDeclare(bytes: Uint8Array): EncodedTransaction<SierraDeclare> {
  const { hash, transaction } = decodeTransaction(bytes);
  if (transaction.type === "DECLARE" && (transaction.version === 2 || transaction.version === 3)) {
    return { hash, transaction, bytes };
  }
  throw new DecodeError("transaction.type", "a declaration of a Sierra class");
}

/** The class bytes of {@link encodeDeclaration}: a view into `bytes`. */
export function classBytesOf(bytes: Uint8Array): Uint8Array {
  const reader = new ByteReader(bytes, "declaration");
  reader.bytes();
  return reader.raw(reader.remaining);
}

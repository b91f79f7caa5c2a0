import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import {
  type ContractClass,
  decodeContractClass,
  decodeTransaction,
  type DeclareV1,
  type DeclareV2,
  type DeclareV3,
  encodeContractClass,
  type EncodedTransaction,
  encodeUnhashed,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** A declaration as it is sent: with its class, and without the class's hash. */
export interface Declaration {
  /** Version 1 brings a Cairo 0 class, the later ones a Sierra class. */
  readonly transaction: Unnamed<DeclareV1> | Unnamed<DeclareV2> | Unnamed<DeclareV3>;
  readonly contractClass: ContractClass;
}

type Unnamed<T> = Omit<T, "classHash">;

/** A declaration that accounts send. */
export type SentDeclare = DeclareV1 | DeclareV2 | DeclareV3;

/** What {@link decodeDeclaration} reads. */
export interface DecodedDeclaration {
  /** Without its own hash, and with 0 in the place of the class hash. */
  readonly transaction: SentDeclare;
  readonly contractClass: ContractClass;
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
 * @throws {DecodeError} when the bytes are not a declaration with the kind of class that its version has
 */
export function decodeDeclaration(bytes: Uint8Array): DecodedDeclaration {
  const reader = new ByteReader(bytes, "declaration");
  const { transaction } = decodeSentDeclare(reader.bytes());
  const classBytes = reader.raw(reader.remaining);
  const contractClass = decodeContractClass(classBytes);
  if ((contractClass.kind === "legacy") !== (transaction.version === 1)) {
    throw new DecodeError("declaration", "a Cairo 0 class with version 1, else a Sierra class");
  }
  return { transaction, contractClass, classBytes };
}

/**
 * An encoded declaration that an account sends.
 *
 * @throws {DecodeError} when the bytes are not one
 */
export function decodeSentDeclare(bytes: Uint8Array): EncodedTransaction<SentDeclare> {
  const { hash, transaction } = decodeTransaction(bytes);
  if (transaction.type === "DECLARE" && transaction.version !== 0) {
    return { hash, transaction, bytes };
  }
  throw new DecodeError("transaction.type", "a declaration that an account sends");
}

/** The class bytes of {@link encodeDeclaration}: a view into `bytes`. */
export function classBytesOf(bytes: Uint8Array): Uint8Array {
  const reader = new ByteReader(bytes, "declaration");
  reader.bytes();
  return reader.raw(reader.remaining);
}

import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import {
  decodeContractClass,
  decodeTransaction,
  type DeclareV1,
  type DeclareV2,
  type DeclareV3,
  encodeContractClass,
  type EncodedTransaction,
  encodeUnhashed,
  type PackedLegacyClass,
  type SierraClass,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** A declaration as it is sent: with its class, and without the class's hash. */
export interface Declaration {
  /** Version 1 brings a Cairo 0 class, the later ones a Sierra class. */
  readonly transaction: Unnamed<DeclareV1> | Unnamed<DeclareV2> | Unnamed<DeclareV3>;
  readonly contractClass: SentClass;
}

/** A class as a declaration brings it. */
export type SentClass = SierraClass | PackedLegacyClass;

type Unnamed<T> = Omit<T, "classHash">;

/** A declaration that accounts send. */
export type SentDeclare = DeclareV1 | DeclareV2 | DeclareV3;

/** What {@link decodeDeclaration} reads. */
export interface DecodedDeclaration {
  /** Without its own hash, and with 0 in the place of the class hash. */
  readonly transaction: SentDeclare;
  readonly contractClass: SentClass;
}

/** In the place of a class hash that is not computed yet. */
const NO_HASH: Felt = 0n;

/** A declaration as bytes, for the way to the thread that hashes it. */
export function encodeDeclaration({
  transaction,
  contractClass,
}: Declaration): Uint8Array<ArrayBuffer> {
  const classBytes =
    contractClass.kind === "packed"
      ? encodePacked(contractClass)
      : encodeContractClass(contractClass);
  const writer = new ByteWriter(classBytes.byteLength + 1024);
  writer.bytes(encodeUnhashed({ ...transaction, classHash: NO_HASH }));
  writer.raw(classBytes);
  return writer.finish();
}

/**
 * Undoes {@link encodeDeclaration}.
 *
 * @throws {DecodeError} when the bytes are not a declaration with the kind of class that its version has
 */
export function decodeDeclaration(bytes: Uint8Array): DecodedDeclaration {
  const reader = new ByteReader(bytes, "declaration");
  const { transaction } = decodeSentDeclare(reader.bytes());
  const classBytes = reader.raw(reader.remaining);
  if (transaction.version === 1) return { transaction, contractClass: decodePacked(classBytes) };
  const contractClass = decodeContractClass(classBytes);
  if (contractClass.kind === "sierra") return { transaction, contractClass };
  throw new DecodeError("declaration", "a Sierra class");
}

function encodePacked({ program, entryPoints, abi }: PackedLegacyClass): Uint8Array {
  const writer = new ByteWriter(program.length + entryPoints.length + abi.length + 64);
  for (const text of [program, entryPoints, abi]) writer.text(text);
  return writer.finish();
}

function decodePacked(bytes: Uint8Array): PackedLegacyClass {
  const reader = new ByteReader(bytes, "packed class");
  const packed = {
    kind: "packed",
    program: reader.text(),
    entryPoints: reader.text(),
    abi: reader.text(),
  } as const;
  reader.end();
  return packed;
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

/**
 * The class of {@link encodeDeclaration}, a view into `bytes`: of a Sierra class what
 * `encodeContractClass` makes.
 */
export function classBytesOf(bytes: Uint8Array): Uint8Array {
  const reader = new ByteReader(bytes, "declaration");
  reader.bytes();
  return reader.raw(reader.remaining);
}

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
  type EntryPointType,
  type PackedLegacyClass,
  type PackedSierraClass,
  type SierraClass,
  type SierraEntryPoint,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** A declaration as sent: with its class, without the class hash. */
export interface Declaration {
  /** Version 1 has a Cairo 0 class; later versions have a Sierra class. */
  readonly transaction: Unnamed<DeclareV1> | Unnamed<DeclareV2> | Unnamed<DeclareV3>;
  readonly contractClass: SentClass;
}

/** A class as sent in a declaration. */
export type SentClass = SierraClass | PackedSierraClass | PackedLegacyClass;

type Unnamed<T> = Omit<T, "classHash">;

/** Declare versions that accounts can send. */
export type SentDeclare = DeclareV1 | DeclareV2 | DeclareV3;

/** Result of {@link decodeDeclaration}. */
export interface DecodedDeclaration {
  /** Without its own hash, and with 0 as class hash. */
  readonly transaction: SentDeclare;
  readonly contractClass: SentClass;
}

/** Placeholder for a class hash that is not computed yet. */
const NO_HASH: Felt = 0n;

/** Encodes a declaration for the thread that hashes it. */
export function encodeDeclaration({
  transaction,
  contractClass,
}: Declaration): Uint8Array<ArrayBuffer> {
  const classBytes = encodeSentClass(contractClass);
  const writer = new ByteWriter(classBytes.byteLength + 1024);
  writer.bytes(encodeUnhashed({ ...transaction, classHash: NO_HASH }));
  writer.raw(classBytes);
  return writer.finish();
}

/**
 * Inverse of {@link encodeDeclaration}.
 *
 * @throws {DecodeError} when the bytes are not a declaration with the class kind of its version
 */
export function decodeDeclaration(bytes: Uint8Array): DecodedDeclaration {
  const reader = new ByteReader(bytes, "declaration");
  const { transaction } = decodeSentDeclare(reader.bytes());
  const classBytes = reader.raw(reader.remaining);
  if (transaction.version === 1) return { transaction, contractClass: decodePacked(classBytes) };
  if (classBytes[0] === PACKED_SIERRA) {
    return { transaction, contractClass: decodePackedSierra(classBytes) };
  }
  const contractClass = decodeContractClass(classBytes);
  if (contractClass.kind === "sierra") return { transaction, contractClass };
  throw new DecodeError("declaration", "a Sierra class");
}

/** First byte of a packed Sierra class; {@link encodeContractClass} uses smaller first bytes. */
const PACKED_SIERRA = 2;

const ENTRY_POINT_TYPES = [
  "EXTERNAL",
  "L1_HANDLER",
  "CONSTRUCTOR",
] as const satisfies readonly EntryPointType[];

function encodeSentClass(contractClass: SentClass): Uint8Array {
  switch (contractClass.kind) {
    case "packed":
      return encodePacked(contractClass);
    case "packed-sierra":
      return encodePackedSierra(contractClass);
    case "sierra":
      return encodeContractClass(contractClass);
  }
}

function encodePackedSierra(packed: PackedSierraClass): Uint8Array {
  const writer = new ByteWriter(packed.program.length + packed.abi.length + 1024);
  writer.u8(PACKED_SIERRA);
  for (const text of [packed.contractClassVersion, packed.abi, packed.program]) writer.text(text);
  for (const type of ENTRY_POINT_TYPES) {
    writer.array(packed.entryPoints[type], (to, { selector, functionIdx }) => {
      to.felt(selector);
      to.varint(functionIdx);
    });
  }
  return writer.finish();
}

function decodePackedSierra(bytes: Uint8Array): PackedSierraClass {
  const reader = new ByteReader(bytes, "packed class");
  reader.u8();
  const [contractClassVersion, abi, program] = [reader.text(), reader.text(), reader.text()];
  const entryPoint = (from: ByteReader): SierraEntryPoint => ({
    selector: from.felt(),
    functionIdx: from.varint(),
  });
  const [external, l1Handler, constructors] = ENTRY_POINT_TYPES.map(() => reader.array(entryPoint));
  reader.end();
  const entryPoints = {
    EXTERNAL: external ?? [],
    L1_HANDLER: l1Handler ?? [],
    CONSTRUCTOR: constructors ?? [],
  };
  return { kind: "packed-sierra", program, contractClassVersion, entryPoints, abi };
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
 * Decodes a declaration of a version that accounts can send.
 *
 * @throws {DecodeError} when the bytes are not such a declaration
 */
export function decodeSentDeclare(bytes: Uint8Array): EncodedTransaction<SentDeclare> {
  const { hash, transaction } = decodeTransaction(bytes);
  if (transaction.type === "DECLARE" && transaction.version !== 0) {
    return { hash, transaction, bytes };
  }
  throw new DecodeError("transaction.type", "a declaration that an account sends");
}

/**
 * Class bytes of an encoded declaration, as a view into `bytes`. For an unpacked Sierra class they equal the
 * output of `encodeContractClass`.
 */
export function classBytesOf(bytes: Uint8Array): Uint8Array {
  const reader = new ByteReader(bytes, "declaration");
  reader.bytes();
  return reader.raw(reader.remaining);
}

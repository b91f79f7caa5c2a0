import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import type { EncodedTransaction } from "#protocol/chain/index.ts";
import type { Refusal } from "../admission-rules.ts";
import { decodeSentDeclare, type SentDeclare } from "./declaration.ts";

/** What a declaration is known to be before its class is compiled. */
export type PreparedDeclaration =
  | Pick<Refusal, "kind" | "code" | "reason">
  /** The account has signed it, its nonce may come, and it can pay. */
  | {
      readonly kind: "prepared";
      /** With the hashes of itself and of its class. */
      readonly hashed: EncodedTransaction<SentDeclare>;
      /** Felts of the Sierra program. */
      readonly sierraProgramLength: number;
      /** Bytes of the ABI. */
      readonly abiLength: number;
      /** A class that came packed, as `encodeContractClass` makes it; `null` with another one. */
      readonly unpacked: Uint8Array | null;
    };

/** A prepared declaration as bytes, for the way between threads. */
export function encodePrepared(prepared: PreparedDeclaration): Uint8Array<ArrayBuffer> {
  const unpackedBytes = prepared.kind === "prepared" ? (prepared.unpacked?.byteLength ?? 0) : 0;
  const writer = new ByteWriter(1024 + unpackedBytes);
  writer.bool(prepared.kind === "prepared");
  if (prepared.kind === "prepared") {
    writer.bytes(prepared.hashed.bytes);
    writer.varint(prepared.sierraProgramLength);
    writer.varint(prepared.abiLength);
    writer.nullable(prepared.unpacked, (to, bytes) => to.bytes(bytes));
  } else {
    writer.text(prepared.code);
    writer.text(prepared.reason);
  }
  return writer.finish();
}

/**
 * Reads what {@link encodePrepared} wrote.
 *
 * @throws {DecodeError} when the bytes are not a prepared declaration
 */
export function decodePrepared(bytes: Uint8Array): PreparedDeclaration {
  const reader = new ByteReader(bytes, "prepared declaration");
  const prepared: PreparedDeclaration = reader.bool()
    ? {
        kind: "prepared",
        hashed: decodeSentDeclare(reader.bytes()),
        sierraProgramLength: reader.varint(),
        abiLength: reader.varint(),
        unpacked: reader.nullable((from) => from.bytes()),
      }
    : { kind: "rejected", code: reader.text() as Refusal["code"], reason: reader.text() };
  reader.end();
  return prepared;
}

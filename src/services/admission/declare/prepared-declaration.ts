import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import type { EncodedTransaction } from "#protocol/chain/index.ts";
import type { Refusal } from "../admission-rules.ts";
import { decodeSentDeclare, type SentDeclare } from "./declaration.ts";

/** Result of checking a declaration before its class is compiled. */
export type PreparedDeclaration =
  | Pick<Refusal, "kind" | "code" | "reason">
  /** The signature is valid, the nonce is acceptable, and the account can pay. */
  | {
      readonly kind: "prepared";
      /** With its transaction hash and class hash. */
      readonly hashed: EncodedTransaction<SentDeclare>;
      /** Length of the Sierra program in felts. */
      readonly sierraProgramLength: number;
      /** Length of the ABI in bytes. */
      readonly abiLength: number;
      /** A class that was sent packed, as encoded by `encodeContractClass`; `null` for other classes. */
      readonly unpacked: Uint8Array | null;
    };

/** Encodes a prepared declaration for transfer between threads. */
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
 * Decodes the output of {@link encodePrepared}.
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

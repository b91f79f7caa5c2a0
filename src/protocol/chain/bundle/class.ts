import type { ByteReader, ByteWriter } from "#base/codec/index.ts";
import type { ContractClass, EntryPointType, SierraEntryPoint } from "../class.ts";
import { decodeExact, encodeExact } from "./whole.ts";

const ENTRY_POINT_TYPES = [
  "EXTERNAL",
  "L1_HANDLER",
  "CONSTRUCTOR",
] as const satisfies readonly EntryPointType[];

const KIND_SIERRA = 0;
const KIND_LEGACY = 1;

/** Writes a class as declared; preserves texts and the order of entry points. */
export function writeContractClass(writer: ByteWriter, contractClass: ContractClass): void {
  if (contractClass.kind === "legacy") {
    writer.u8(KIND_LEGACY);
    writer.text(contractClass.json);
    return;
  }
  writer.u8(KIND_SIERRA);
  writer.text(contractClass.contractClassVersion);
  writer.text(contractClass.abi);
  for (const type of ENTRY_POINT_TYPES) {
    writer.array(contractClass.entryPoints[type], (w, entryPoint) => {
      w.felt(entryPoint.selector);
      w.varint(entryPoint.functionIdx);
    });
  }
  writer.felts(contractClass.sierraProgram);
}

/** Reads what {@link writeContractClass} wrote. */
export function readContractClass(reader: ByteReader): ContractClass {
  if (reader.index(2, "class kind") === KIND_LEGACY) return { kind: "legacy", json: reader.text() };
  const contractClassVersion = reader.text();
  const abi = reader.text();
  const external = reader.array(readEntryPoint);
  const l1Handler = reader.array(readEntryPoint);
  const constructors = reader.array(readEntryPoint);
  return {
    kind: "sierra",
    sierraProgram: reader.felts(),
    contractClassVersion,
    entryPoints: { EXTERNAL: external, L1_HANDLER: l1Handler, CONSTRUCTOR: constructors },
    abi,
  };
}

/** Encodes a class. */
export function encodeContractClass(contractClass: ContractClass): Uint8Array<ArrayBuffer> {
  return encodeExact(contractClass, writeContractClass, 64 * 1024);
}

/**
 * Decodes the bytes of {@link encodeContractClass}.
 *
 * @throws {DecodeError} when the bytes are not exactly one canonical class
 */
export function decodeContractClass(bytes: Uint8Array): ContractClass {
  return decodeExact(bytes, "class", readContractClass);
}

function readEntryPoint(reader: ByteReader): SierraEntryPoint {
  return { selector: reader.felt(), functionIdx: reader.varint() };
}

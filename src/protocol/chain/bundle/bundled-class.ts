import type { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { casmClassFromJson } from "../casm.ts";
import type { ContractClass, ExecutableClass, SierraClass } from "../class.ts";
import { legacyExecutableFromJson } from "../legacy-class.ts";
import { sierraVersionOf } from "../sierra-version.ts";
import { decodeContractClass } from "./class.ts";

/** A class that a block declared. `casmJson` is the compiled class, `null` for Cairo 0 classes. */
export interface BundledClass {
  readonly classHash: Felt;
  readonly contractClass: ContractClass;
  readonly casmJson: string | null;
}

/** A {@link BundledClass} whose definition is bytes, as it travels and as storage keeps it. */
export interface EncodedClass {
  readonly classHash: Felt;
  /** Made by `encodeContractClass`. */
  readonly contractClass: Uint8Array;
  /** Compiled class as JSON text; `null` for Cairo 0 classes. */
  readonly casmJson: string | null;
}

/** What of a class goes along with the transaction that declares it and names its hash. */
export type ClassContents = Omit<EncodedClass, "classHash">;

/**
 * A class with its definition read.
 *
 * @throws {DecodeError} when the bytes are not exactly one canonical class
 */
export function bundledClassOf({ classHash, contractClass, casmJson }: EncodedClass): BundledClass {
  return { classHash, contractClass: decodeContractClass(contractClass), casmJson };
}

/** Writes a class, its definition behind its length so that a reader need not decode it. */
export function writeEncodedClass(writer: ByteWriter, declared: EncodedClass): void {
  writer.felt(declared.classHash);
  writer.bytes(declared.contractClass);
  writer.nullable(declared.casmJson, (w, json) => w.text(json));
}

/** Reads what {@link writeEncodedClass} wrote. The definition itself is not looked at. */
export function readEncodedClass(reader: ByteReader): EncodedClass {
  return {
    classHash: reader.felt(),
    contractClass: reader.bytes(),
    casmJson: reader.nullable((r) => r.text()),
  };
}

const executables = new WeakMap<EncodedClass, ExecutableClass | undefined>();

/**
 * What execution needs of a class. Decoding takes milliseconds, so the result is kept as long as
 * `encoded` itself.
 *
 * @returns `undefined` for a Sierra class without code, and for a Cairo 0 class that no machine can run
 * @throws {DecodeError} when the definition or the compiled code is malformed
 */
export function executableClassOf(encoded: EncodedClass): ExecutableClass | undefined {
  if (executables.has(encoded)) return executables.get(encoded);
  const executable = decodeExecutable(encoded, decodeContractClass(encoded.contractClass));
  executables.set(encoded, executable);
  return executable;
}

function decodeExecutable(
  { classHash, casmJson }: EncodedClass,
  contractClass: ContractClass,
): ExecutableClass | undefined {
  if (contractClass.kind === "legacy") return legacyExecutable(contractClass.json, classHash);
  return casmJson === null ? undefined : sierraExecutable(classHash, contractClass, casmJson);
}

/**
 * What execution needs of a Sierra class with its compiled code.
 *
 * @throws {DecodeError} when the compiled code is malformed
 */
export function sierraExecutable(
  classHash: Felt,
  contractClass: SierraClass,
  casmJson: string,
): ExecutableClass {
  return {
    classHash,
    casm: casmClassFromJson(casmJson),
    sierraVersion: sierraVersionOf(contractClass),
    sierraProgramLength: contractClass.sierraProgram.length,
    abiLength: Buffer.byteLength(contractClass.abi),
  };
}

function legacyExecutable(json: string, classHash: Felt): ExecutableClass | undefined {
  try {
    return legacyExecutableFromJson(json, classHash);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

import type { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { casmClassFromJson } from "../casm.ts";
import type { ContractClass, ExecutableClass, SierraClass } from "../class.ts";
import { legacyExecutableFromJson } from "../legacy-class.ts";
import { sierraVersionOf } from "../sierra-version.ts";
import { decodeContractClass } from "./class.ts";

/** Class that a block declared. `casmJson` is the compiled class, `null` for Cairo 0 classes. */
export interface BundledClass {
  readonly classHash: Felt;
  readonly contractClass: ContractClass;
  readonly casmJson: string | null;
}

/** {@link BundledClass} with its definition as bytes, for transport and storage. */
export interface EncodedClass {
  readonly classHash: Felt;
  /** Bytes from `encodeContractClass`. */
  readonly contractClass: Uint8Array;
  /** Compiled class as JSON text; `null` for Cairo 0 classes. */
  readonly casmJson: string | null;
}

/** Class data that accompanies its declare transaction, which names the hash. */
export type ClassContents = Omit<EncodedClass, "classHash">;

/**
 * Decodes the definition of a class.
 *
 * @throws {DecodeError} when the bytes are not exactly one canonical class
 */
export function bundledClassOf({ classHash, contractClass, casmJson }: EncodedClass): BundledClass {
  return { classHash, contractClass: decodeContractClass(contractClass), casmJson };
}

/** Writes a class; its definition is length-prefixed, so that a reader need not decode it. */
export function writeEncodedClass(writer: ByteWriter, declared: EncodedClass): void {
  writer.felt(declared.classHash);
  writer.bytes(declared.contractClass);
  writer.nullable(declared.casmJson, (w, json) => w.text(json));
}

/** Reads what {@link writeEncodedClass} wrote, without decoding the definition. */
export function readEncodedClass(reader: ByteReader): EncodedClass {
  return {
    classHash: reader.felt(),
    contractClass: reader.bytes(),
    casmJson: reader.nullable((r) => r.text()),
  };
}

const executables = new WeakMap<EncodedClass, ExecutableClass | undefined>();

/**
 * Returns the executable form of a class. Decoding takes milliseconds, so the result is cached for the
 * lifetime of `encoded`.
 *
 * @returns `undefined` for a Sierra class without code, and for a Cairo 0 class that the machine cannot run
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
 * Returns the executable form of a Sierra class with its compiled code.
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

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CompiledSierraCasm, hash } from "starknet";
import type { SierraClass } from "./cairo-compiler.ts";
import { CASM_FOLDER, CONTRACTS_FOLDER } from "./folders.ts";

/** Entry of the index for one contract. Hashes are `0x` felts. */
export interface ArtifactEntry {
  /** SHA-256 of the source, in hex: shows whether the class was compiled from this source. */
  readonly sourceSha256: string;
  readonly classHash: string;
  /** Poseidon hash of the CASM, for declarations before protocol 0.14.1. */
  readonly compiledClassHashV1: string;
  /** Blake2s hash of the CASM, for declarations from protocol 0.14.1 on. */
  readonly compiledClassHashV2: string;
  readonly sierraProgramFelts: number;
  readonly bytecodeFelts: number;
}

/** The index by contract name. */
export type ArtifactIndex = Readonly<Record<string, ArtifactEntry>>;

/** The Cairo source of a contract. */
export function readSource(name: string): string {
  return readFileSync(join(CONTRACTS_FOLDER, `${name}.cairo`), "utf8");
}

/** The committed index; empty if the file does not exist. */
export function readIndex(): ArtifactIndex {
  const path = join(CONTRACTS_FOLDER, "artifacts.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as ArtifactIndex) : {};
}

/** The committed Sierra class of a contract. */
export function readSierra(name: string): SierraClass {
  return JSON.parse(
    readFileSync(join(CONTRACTS_FOLDER, `${name}.sierra.json`), "utf8"),
  ) as SierraClass;
}

/** The CASM of a contract, as text. */
export function readCasm(name: string): string {
  return readFileSync(join(CASM_FOLDER, `${name}.casm.json`), "utf8");
}

/** SHA-256 in hex of a text. */
export function sha256(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

/** The index entry that a source, its class and its CASM must have. */
export function entryOf(source: string, sierra: SierraClass, casm: string): ArtifactEntry {
  const compiled = JSON.parse(casm) as CompiledSierraCasm;
  return {
    sourceSha256: sha256(source),
    classHash: hash.computeSierraContractClassHash({
      ...sierra,
      abi: JSON.parse(sierra.abi),
      sierra_program_debug_info: {},
    } as unknown as Parameters<typeof hash.computeSierraContractClassHash>[0]),
    compiledClassHashV1: hash.computeCompiledClassHashPoseidon(compiled),
    compiledClassHashV2: hash.computeCompiledClassHashBlake(compiled),
    sierraProgramFelts: sierra.sierra_program.length,
    bytecodeFelts: compiled.bytecode.length,
  };
}

/**
 * Writes a contract's Sierra class and its index entry, keeping the other entries.
 *
 * @param casm - the compiled class; only its hashes are stored, in the index
 */
export function writeArtifacts(
  name: string,
  source: string,
  sierra: SierraClass,
  casm: string,
): ArtifactEntry {
  const entry = entryOf(source, sierra, casm);
  writeFileSync(join(CONTRACTS_FOLDER, `${name}.sierra.json`), `${JSON.stringify(sierra)}\n`);
  const index = { ...readIndex(), [name]: entry };
  const sorted = Object.fromEntries(Object.entries(index).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(join(CONTRACTS_FOLDER, "artifacts.json"), `${JSON.stringify(sorted, null, 2)}\n`);
  return entry;
}

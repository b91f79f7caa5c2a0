import { unsupportedInLegacy } from "#engine/cairo/index.ts";
import {
  type BundledClass,
  type CasmHashFunction,
  casmClassFromJson,
  compiledClassHash,
  hashedLegacyExecutable,
  parseLegacyClass,
  sierraClassFromJson,
  sierraClassHash,
} from "#protocol/chain/index.ts";
import type { GenesisClass, GenesisClassSource } from "#protocol/config/index.ts";
import { ConfigError, DecodeError } from "#base/errors/index.ts";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";

/** JSON texts of a class: Sierra with its compiled code, or Cairo 0, which has no compiled code. */
export interface ClassText {
  readonly classJson: string;
  /** `null` for a Cairo 0 class. */
  readonly casmJson: string | null;
  /** Hashes that are known without reading the texts; omitted for classes from files. */
  readonly hashes?: KnownHashes;
}

/** Hashes of a Sierra class. */
export interface KnownHashes {
  readonly classHash: Felt;
  readonly compiledClassHashes: Readonly<Record<CasmHashFunction, Felt>>;
}

/** Finds the text of a genesis class: one that ships with the program, or one from files. */
export type ClassSource = (source: GenesisClassSource, name: string) => ClassText;

/** Class of the genesis section, with the data that block 0 needs. */
export interface ReadGenesisClass extends GenesisClass {
  readonly bundled: BundledClass;
  /** `null` for a Cairo 0 class. */
  readonly compiledClassHash: Felt | null;
  /** Selectors of the external functions. */
  readonly functions: ReadonlySet<Felt>;
  /** Whether the code contains the constant used in the storage keys of a `ByteArray`. */
  readonly storesByteArrays: () => boolean;
}

/** Constant in storage keys of a `ByteArray`. Source: corelib of Cairo 2, `starknet/storage_access.cairo`. */
const BYTE_ARRAY_MARK: Felt = feltFromShortString("ByteArray");

/**
 * Reads a class of the genesis section, and hashes it unless its hashes are known.
 *
 * @param hashFunction - for the compiled class hash, given by the chain's protocol version
 * @returns the problem as text if the class cannot be found, read or executed
 */
export function readGenesisClass(
  { name, source: where }: GenesisClass,
  source: ClassSource,
  hashFunction: CasmHashFunction,
): ReadGenesisClass | string {
  try {
    const { classJson, casmJson, hashes } = source(where, name);
    const read =
      casmJson === null
        ? legacyClass(classJson)
        : sierraClass(classJson, casmJson, hashFunction, hashes);
    if ("unsupported" in read) {
      return `this node cannot execute a part of ${name}: ${read.unsupported}`;
    }
    return { name, source: where, ...read };
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    if (error instanceof DecodeError) return `${name} is not a class: ${error.message}`;
    throw error;
  }
}

type Read = Omit<ReadGenesisClass, keyof GenesisClass>;

function sierraClass(
  classJson: string,
  casmJson: string,
  hashFunction: CasmHashFunction,
  known: KnownHashes | undefined,
): Read {
  const contractClass = sierraClassFromJson(classJson);
  const classHash = known?.classHash ?? sierraClassHash(contractClass);
  return {
    bundled: { classHash, contractClass, casmJson },
    compiledClassHash:
      known?.compiledClassHashes[hashFunction] ??
      compiledClassHash(casmClassFromJson(casmJson), hashFunction),
    functions: new Set(contractClass.entryPoints.EXTERNAL.map(({ selector }) => selector)),
    storesByteArrays: () => casmClassFromJson(casmJson).bytecode.includes(BYTE_ARRAY_MARK),
  };
}

function legacyClass(json: string): Read | { readonly unsupported: string } {
  const contractClass = { kind: "legacy", json } as const;
  const { classHash, program } = hashedLegacyExecutable(parseLegacyClass(contractClass));
  const unsupported = unsupportedInLegacy(program);
  if (unsupported !== undefined) return { unsupported };
  return {
    bundled: { classHash, contractClass, casmJson: null },
    compiledClassHash: null,
    functions: new Set(program.entryPoints.EXTERNAL.map(({ selector }) => selector)),
    storesByteArrays: () => false,
  };
}

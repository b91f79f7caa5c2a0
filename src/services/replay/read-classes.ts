import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { classLeaf } from "#protocol/trie/index.ts";
import {
  compiledClassHash,
  type ExecutableClass,
  hashedLegacyExecutable,
  sierraClassHash,
  sierraVersionOf,
} from "#protocol/chain/index.ts";
import { differ, requireSame } from "./difference.ts";
import type { ReplayPort } from "./source.ts";
import type { WitnessClass } from "./witness-reader.ts";

/** A class whose hash was recomputed, with both hashes of its compiled code. */
export interface ReadClass {
  readonly executable: ExecutableClass;
  /** By hash function; `null` for a Cairo 0 class, which has no compiled code. */
  readonly compiledHashes: { readonly poseidon: Felt; readonly blake: Felt } | null;
}

/** Most classes that are kept from one block to the next. */
const MAX_KEPT = 64;

/** Classes of a node, each asked for once in a while. */
export class ClassShelf {
  readonly #port: Pick<ReplayPort, "contractClass" | "compiledClass">;
  readonly #kept = new Map<Felt, ReadClass>();

  constructor(port: Pick<ReplayPort, "contractClass" | "compiledClass">) {
    this.#port = port;
  }

  /**
   * A class that is declared after block `blockNumber`.
   *
   * @throws {DifferenceFound} when what the node gives has another hash
   */
  async read(classHash: Felt, blockNumber: number): Promise<ReadClass> {
    const known = this.#kept.get(classHash);
    if (known !== undefined) {
      this.#kept.delete(classHash);
      this.#kept.set(classHash, known);
      return known;
    }
    const read = await this.#fetch(classHash, blockNumber);
    this.#kept.set(classHash, read);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    return read;
  }

  async #fetch(classHash: Felt, blockNumber: number): Promise<ReadClass> {
    const contractClass = await this.#port.contractClass(classHash, blockNumber);
    const field = `hash of the class that getClass gives for ${hexFromFelt(classHash)}`;
    if (contractClass.kind === "legacy") {
      const executable = hashedLegacyExecutable(contractClass);
      requireSame(field, executable.classHash, classHash);
      return { executable, compiledHashes: null };
    }
    requireSame(field, sierraClassHash(contractClass), classHash);
    const casm = await this.#port.compiledClass(classHash);
    return {
      executable: {
        classHash,
        casm,
        sierraVersion: sierraVersionOf(contractClass),
        sierraProgramLength: contractClass.sierraProgram.length,
        abiLength: Buffer.byteLength(contractClass.abi),
      },
      compiledHashes: {
        poseidon: compiledClassHash(casm, "poseidon"),
        blake: compiledClassHash(casm, "blake"),
      },
    };
  }
}

/**
 * A class that was declared before a block, whose compiled code must be that of its leaf. That a Cairo
 * 0 class was declared no trie shows.
 *
 * @param leaf - in the classes trie before the block
 * @throws {DifferenceFound} when it is not
 */
export function witnessOf(classHash: Felt, read: ReadClass, leaf: Felt): WitnessClass {
  const { executable, compiledHashes } = read;
  if (compiledHashes === null) {
    requireSame(`leaf of the Cairo 0 class ${hexFromFelt(classHash)}`, 0n, leaf);
    return { executable, compiledClassHash: 0n };
  }
  const name = hexFromFelt(classHash);
  if (leaf === 0n) {
    const field = `initial_reads.declared_contracts of ${name}`;
    differ(field, "it is not in the classes trie", "it is declared");
  }
  const { poseidon, blake } = compiledHashes;
  const found = [poseidon, blake].find((hash) => classLeaf(hash) === leaf);
  if (found !== undefined) return { executable, compiledClassHash: found };
  return differ(
    `leaf of class ${name} in the classes trie`,
    `that of the code that getCompiledCasm gives (${hexFromFelt(poseidon)} or ${hexFromFelt(blake)})`,
    leaf,
  );
}

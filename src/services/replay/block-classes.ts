import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import {
  type BlockHeader,
  casmHashFunctionOf,
  type ExecutableClass,
  type HashedTransaction,
} from "#protocol/chain/index.ts";
import { classLeaf } from "#protocol/trie/index.ts";
import type { RemoteReads } from "#io/client/index.ts";
import { differ, requireSame, type TransactionPlace } from "./difference.ts";
import type { Places } from "./places.ts";
import type { ProvenState } from "./proven-state.ts";
import { type ClassShelf, type DeclaredCode, ownCodeText } from "./read-classes.ts";
import type { WitnessClass } from "./witness-reader.ts";

/** Placeholder for a class that was not declared. */
const UNDECLARED: WitnessClass = { executable: undefined, compiledClassHash: 0n };

/** Provides the classes that one block needs, as supplied by a node. */
export class BlockClasses {
  readonly #shelf: ClassShelf;
  readonly #blockNumber: number;
  readonly #trusted = new Set<Felt>();

  constructor(shelf: ClassShelf, blockNumber: number) {
    this.#shelf = shelf;
    this.#blockNumber = blockNumber;
  }

  /** Classes whose code was taken from the node, in order of use. */
  get trusted(): readonly Felt[] {
    return [...this.#trusted];
  }

  /**
   * Returns the classes that the block reads, in their state before it. Includes the code of classes that
   * were declared according to the trace or the classes trie; the others are marked as undeclared.
   *
   * @throws {DifferenceFound} when a class or its code differs from the declared one
   */
  async before(
    { classLeaves }: ProvenState,
    { declared }: RemoteReads,
    { classes }: Places,
  ): Promise<Map<Felt, WitnessClass>> {
    const result = new Map<Felt, WitnessClass>();
    for (const classHash of classes) {
      const leaf = classLeaves.get(classHash) ?? 0n;
      const isDeclared = declared.get(classHash) === true || leaf !== 0n;
      result.set(classHash, isDeclared ? await this.#witness(classHash, leaf) : UNDECLARED);
    }
    return result;
  }

  /**
   * Returns the classes that the block's transactions declare, each with the code that it names.
   *
   * @throws {DifferenceFound} when no code with that hash is available
   */
  async declaredBy(
    transactions: readonly HashedTransaction[],
    protocolVersion: BlockHeader["protocolVersion"],
  ): Promise<Map<Felt, ExecutableClass>> {
    const result = new Map<Felt, ExecutableClass>();
    const hashFunction = casmHashFunctionOf(protocolVersion);
    for (const [index, { hash, transaction }] of transactions.entries()) {
      if (transaction.type !== "DECLARE") continue;
      const { classHash } = transaction;
      const place = { index, hash };
      const read = await this.#shelf.read(classHash, this.#blockNumber);
      const isSierra = "compiledClassHash" in transaction;
      if (isSierra !== (read.kind === "sierra")) differInKind(classHash, isSierra, place);
      if (read.kind === "legacy" || !isSierra) {
        if (read.kind === "legacy") result.set(classHash, read.executable);
        continue;
      }
      const named = transaction.compiledClassHash;
      const code = await this.#shelf.codeOf(read, (hashes) =>
        hashes[hashFunction] === named ? named : undefined,
      );
      const field = `compiled_class_hash of class ${hexFromFelt(classHash)}`;
      result.set(
        classHash,
        this.#noted(code ?? differ(field, ownCodeText(read), named, place)).executable,
      );
    }
    return result;
  }

  /** Loads a class of the state before the block. No trie proves that a Cairo 0 class was declared. */
  async #witness(classHash: Felt, leaf: Felt): Promise<WitnessClass> {
    const read = await this.#shelf.read(classHash, this.#blockNumber);
    const name = hexFromFelt(classHash);
    if (read.kind === "legacy") {
      requireSame(`leaf of the Cairo 0 class ${name}`, 0n, leaf);
      return { executable: read.executable, compiledClassHash: 0n };
    }
    if (leaf === 0n) {
      const field = `initial_reads.declared_contracts of ${name}`;
      differ(field, "it is not in the classes trie", "it is declared");
    }
    const code = await this.#shelf.codeOf(read, ({ poseidon, blake }) =>
      [poseidon, blake].find((hash) => classLeaf(hash) === leaf),
    );
    const field = `leaf of class ${name} in the classes trie`;
    return this.#noted(code ?? differ(field, ownCodeText(read), leaf));
  }

  #noted(code: DeclaredCode): DeclaredCode {
    if (code.isTrusted) this.#trusted.add(code.executable.classHash);
    return code;
  }
}

function differInKind(classHash: Felt, isSierra: boolean, place: TransactionPlace): never {
  const kinds = { true: "a Sierra class", false: "a Cairo 0 class" } as const;
  const field = `class ${hexFromFelt(classHash)}`;
  return differ(field, kinds[`${isSierra}`], kinds[`${!isSierra}`], place);
}

import { NodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt, RecentMap } from "#base/primitives/index.ts";
import {
  type CasmClass,
  type CasmHashFunction,
  compiledClassHash,
  type ExecutableClass,
  hashedLegacyExecutable,
  parseLegacyClass,
  type SierraClass,
  sierraClassHash,
  sierraVersionOf,
} from "#protocol/chain/index.ts";
import type { ReplayCompiler } from "./class-compiler.ts";
import { requireSame } from "./difference.ts";
import type { ReplayPort } from "./source.ts";

/** Both hashes of compiled code. */
export type CodeHashes = Readonly<Record<CasmHashFunction, Felt>>;

/** Compiled code of a class. */
export interface ClassCode {
  readonly executable: ExecutableClass;
  readonly hashes: CodeHashes;
}

/** A Sierra class whose hash was recomputed. */
export interface ReadSierra {
  readonly kind: "sierra";
  readonly classHash: Felt;
  readonly contractClass: SierraClass;
  /** Compiled here from the class; the reason where it cannot be. */
  readonly own: ClassCode | string;
}

/** A class whose hash was recomputed; of a Cairo 0 class the hash covers the code with its hints. */
export type ReadClass =
  ReadSierra | { readonly kind: "legacy"; readonly executable: ExecutableClass };

/** What classes are read with. */
export interface ClassShelfDeps {
  readonly port: Pick<ReplayPort, "contractClass" | "compiledClass">;
  readonly compiler: ReplayCompiler;
  /** Whether code is taken from the node where the code compiled here has another hash. */
  readonly trustsCasm: boolean;
}

/** Most classes that are kept from one block to the next. */
const MAX_KEPT = 64;

/** Classes of a node, each asked for once in a while. */
export class ClassShelf {
  readonly #deps: ClassShelfDeps;
  readonly #kept = new RecentMap<Felt, ReadClass>(MAX_KEPT);
  readonly #remote = new RecentMap<Felt, ClassCode>(MAX_KEPT);

  constructor(deps: ClassShelfDeps) {
    this.#deps = deps;
  }

  /**
   * A class that is declared after block `blockNumber`.
   *
   * @throws {DifferenceFound} when what the node gives has another hash
   * @throws {NodeError} NODE_COMPILATION_UNFINISHED when it cannot be compiled with what compiling may take, and the
   *   node's code is not trusted
   */
  async read(classHash: Felt, blockNumber: number): Promise<ReadClass> {
    const known = this.#kept.get(classHash);
    const read = known ?? (await this.#fetch(classHash, blockNumber));
    this.#kept.set(classHash, read);
    return read;
  }

  /**
   * The code of a class that has the hash it was declared with: compiled here, or the node's where
   * that is trusted. Older compilers made other code of the same class.
   *
   * @param declaredHash - which of the code's hashes is the declared one, if any
   * @returns `undefined` when there is no such code
   */
  async codeOf(
    read: ReadSierra,
    declaredHash: (hashes: CodeHashes) => Felt | undefined,
  ): Promise<DeclaredCode | undefined> {
    const { own } = read;
    const ownHash = typeof own === "string" ? undefined : declaredHash(own.hashes);
    if (typeof own !== "string" && ownHash !== undefined) {
      return { executable: own.executable, compiledClassHash: ownHash, isTrusted: false };
    }
    if (!this.#deps.trustsCasm) return undefined;
    const remote = this.#remote.get(read.classHash) ?? (await this.#ask(read));
    this.#remote.set(read.classHash, remote);
    const remoteHash = declaredHash(remote.hashes);
    if (remoteHash === undefined) return undefined;
    return { executable: remote.executable, compiledClassHash: remoteHash, isTrusted: true };
  }

  async #fetch(classHash: Felt, blockNumber: number): Promise<ReadClass> {
    const { port, compiler } = this.#deps;
    const contractClass = await port.contractClass(classHash, blockNumber);
    const field = `hash of the class that getClass gives for ${hexFromFelt(classHash)}`;
    if (contractClass.kind === "legacy") {
      const executable = hashedLegacyExecutable(parseLegacyClass(contractClass));
      requireSame(field, executable.classHash, classHash);
      return { kind: "legacy", executable };
    }
    requireSame(field, sierraClassHash(contractClass), classHash);
    const compilation = await compiler.compile(classHash, contractClass);
    if (compilation.kind === "unfinished" && !this.#deps.trustsCasm) {
      const message = `class ${hexFromFelt(classHash)}: ${compilation.reason}`;
      throw new NodeError("NODE_COMPILATION_UNFINISHED", message);
    }
    const own =
      compilation.kind === "compiled"
        ? codeFrom(classHash, contractClass, compilation.casm)
        : compilation.reason;
    return { kind: "sierra", classHash, contractClass, own };
  }

  async #ask({ classHash, contractClass }: ReadSierra): Promise<ClassCode> {
    return codeFrom(classHash, contractClass, await this.#deps.port.compiledClass(classHash));
  }
}

/** Code that has the hash its class was declared with. */
export interface DeclaredCode {
  readonly executable: ExecutableClass;
  readonly compiledClassHash: Felt;
  /** It is the node's: its hints were not verified. */
  readonly isTrusted: boolean;
}

/** The hashes of the code that was compiled here, or why there is none, for people. */
export function ownCodeText({ own }: ReadSierra): string {
  if (typeof own === "string") return `code that cannot be compiled here: ${own}`;
  const { poseidon, blake } = own.hashes;
  return `that of the code compiled here (${hexFromFelt(poseidon)} or ${hexFromFelt(blake)})`;
}

function codeFrom(classHash: Felt, contractClass: SierraClass, casm: CasmClass): ClassCode {
  return {
    executable: {
      classHash,
      casm,
      sierraVersion: sierraVersionOf(contractClass),
      sierraProgramLength: contractClass.sierraProgram.length,
      abiLength: Buffer.byteLength(contractClass.abi),
    },
    hashes: {
      poseidon: compiledClassHash(casm, "poseidon"),
      blake: compiledClassHash(casm, "blake"),
    },
  };
}

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
  /** Code compiled here, or the reason why the class cannot be compiled. */
  readonly own: ClassCode | string;
}

/** A class whose hash was recomputed. A Cairo 0 class hash covers the code with its hints. */
export type ReadClass =
  ReadSierra | { readonly kind: "legacy"; readonly executable: ExecutableClass };

/** Dependencies of {@link ClassShelf}. */
export interface ClassShelfDeps {
  readonly port: Pick<ReplayPort, "contractClass" | "compiledClass">;
  readonly compiler: ReplayCompiler;
  /** Whether to use the node's code where the code compiled here has a different hash. */
  readonly trustsCasm: boolean;
}

/** Maximum classes kept between blocks. */
const MAX_KEPT = 64;

/** Caches a node's classes, so that each is rarely fetched twice. */
export class ClassShelf {
  readonly #deps: ClassShelfDeps;
  readonly #kept = new RecentMap<Felt, ReadClass>(MAX_KEPT);
  readonly #remote = new RecentMap<Felt, ClassCode>(MAX_KEPT);

  constructor(deps: ClassShelfDeps) {
    this.#deps = deps;
  }

  /**
   * Returns a class declared as of block `blockNumber`.
   *
   * @throws {DifferenceFound} when the node's class has a different hash
   * @throws {NodeError} NODE_COMPILATION_UNFINISHED when compilation exceeds its limits, and the node's code
   * is not trusted
   */
  async read(classHash: Felt, blockNumber: number): Promise<ReadClass> {
    const known = this.#kept.get(classHash);
    const read = known ?? (await this.#fetch(classHash, blockNumber));
    this.#kept.set(classHash, read);
    return read;
  }

  /**
   * Returns the code of a class that has its declared hash: compiled here, or the node's where that is
   * trusted. Older compilers produced different code for the same class.
   *
   * @param declaredHash - returns which of the code's hashes is the declared one, if any
   * @returns `undefined` when no such code is available
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
    const field = `hash of the class that getClass returns for ${hexFromFelt(classHash)}`;
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

/** Code whose hash is the declared one of its class. */
export interface DeclaredCode {
  readonly executable: ExecutableClass;
  readonly compiledClassHash: Felt;
  /** Taken from the node: its hints were not verified. */
  readonly isTrusted: boolean;
}

/** Describes the hashes of the code compiled here, or why none was compiled. */
export function ownCodeText({ own }: ReadSierra): string {
  if (typeof own === "string") return `code that cannot be compiled here: ${own}`;
  const { poseidon, blake } = own.hashes;
  return `the hash of the code compiled here (${hexFromFelt(poseidon)} or ${hexFromFelt(blake)})`;
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

import {
  type ExecutableClass,
  type PackedLegacyClass,
  sierraClassHash,
  sierraExecutable,
} from "#protocol/chain/index.ts";
import { classUnfit, readLegacyClass } from "#services/admission/index.ts";
import type { QueryContext } from "../context.ts";
import type { DeclareRequest } from "../spec/version.ts";
import { checkStopped } from "../stopped.ts";

/** Class of a declaration to estimate or simulate. */
export type DeclaredClass =
  /** Still being compiled: the request is answered by a later run. */
  | { readonly kind: "unknown" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "compiled"; readonly executable: ExecutableClass };

/**
 * Maximum characters of all decompressed Cairo 0 classes of one request: four times the largest known one.
 * They stay in memory together, and a body may contain hundreds of compressed ones.
 */
const MAX_UNPACKED_LENGTH = 4 * 4_089_446;

/** Classes of the declarations in one request, processed in order. */
export class DeclaredClasses {
  readonly #context: QueryContext;
  #unpackedLength = 0;

  constructor(context: QueryContext) {
    this.#context = context;
  }

  /** Whether the chain accepts declarations with a single max fee. */
  get takesMaxFee(): boolean {
    return this.#context.declares.takesMaxFee;
  }

  /**
   * Returns the compiled class of a declaration; requests its compilation if it is not available.
   *
   * @throws {NotServedError} when the request is cancelled
   */
  of({ contractClass, transaction }: DeclareRequest): DeclaredClass {
    if (contractClass.kind === "packed") return this.#legacyClass(contractClass);
    const unfit = classUnfit(contractClass);
    if (unfit !== undefined) return { kind: "refused", reason: unfit.reason };
    const classHash = sierraClassHash(contractClass, () => checkStopped(this.#context));
    const outcome = this.#context.declares.compiledClass({
      sender: transaction.senderAddress,
      classHash,
      contractClass,
    });
    if (outcome === undefined) return { kind: "unknown" };
    if (outcome.kind === "refused") {
      return { kind: "refused", reason: `the class cannot be compiled: ${outcome.reason}` };
    }
    const executable = sierraExecutable(classHash, contractClass, outcome.casmJson);
    return { kind: "compiled", executable };
  }

  #legacyClass(packed: PackedLegacyClass): DeclaredClass {
    if (this.#unpackedLength >= MAX_UNPACKED_LENGTH) {
      const reason = `the Cairo 0 classes of one request have at most ${MAX_UNPACKED_LENGTH} characters together`;
      return { kind: "refused", reason };
    }
    const read = readLegacyClass(packed, () => checkStopped(this.#context));
    if (read.kind === "rejected") return { kind: "refused", reason: read.reason };
    this.#unpackedLength += read.contractClass.json.length;
    return { kind: "compiled", executable: read.executable };
  }
}

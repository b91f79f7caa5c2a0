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

/** The class of a declaration that is estimated or simulated, as far as it is known. */
export type DeclaredClass =
  /** Being compiled: the request is answered by a later run. */
  | { readonly kind: "unknown" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "compiled"; readonly executable: ExecutableClass };

/**
 * Most characters of all Cairo 0 classes of one request, unpacked: as many as four of the largest have.
 * They stay in memory together, and a body may hold hundreds of them packed.
 */
const MAX_UNPACKED_LENGTH = 4 * 4_089_446;

/** The classes of one request's declarations, one after the other. */
export class DeclaredClasses {
  readonly #context: QueryContext;
  #unpackedLength = 0;

  constructor(context: QueryContext) {
    this.#context = context;
  }

  /** Whether the chain takes declarations with one maximal fee. */
  get takesMaxFee(): boolean {
    return this.#context.declares.takesMaxFee;
  }

  /**
   * A declaration's class, compiled; asks for it when it is not there.
   *
   * @throws {NotServedError} when the request is to stop
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

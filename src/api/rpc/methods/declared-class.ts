import { type LegacyClass, sierraClassHash, sierraExecutable } from "#protocol/chain/index.ts";
import { classUnfit, readLegacyClass } from "#services/admission/index.ts";
import type { ClassRequest, KnownOutcome, RpcContext } from "../context.ts";
import { NotServedError } from "../errors.ts";
import type { DeclareRequest } from "../spec/version.ts";
import type { ExecutableClass } from "#protocol/chain/index.ts";

/** The class of a declaration that is estimated or simulated, as far as it is known. */
export type DeclaredClass =
  /** Being compiled: the request is answered by a later run. */
  | { readonly kind: "unknown" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "compiled"; readonly executable: ExecutableClass };

/** A declaration's class, compiled; asks for it when it is not there. */
export function declaredClassOf(context: RpcContext, request: DeclareRequest): DeclaredClass {
  const { contractClass, transaction } = request;
  if (contractClass.kind === "legacy") return legacyClassOf(contractClass);
  const unfit = classUnfit(contractClass);
  if (unfit !== undefined) return { kind: "refused", reason: unfit.reason };
  const classHash = sierraClassHash(contractClass);
  const outcome = outcomeOf(context, {
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

function legacyClassOf(contractClass: LegacyClass): DeclaredClass {
  const executable = readLegacyClass(contractClass);
  return typeof executable === "string"
    ? { kind: "refused", reason: executable }
    : { kind: "compiled", executable };
}

function outcomeOf(context: RpcContext, request: ClassRequest): KnownOutcome | undefined {
  if (context.compiledClass === undefined) throw new NotServedError("this node compiles nothing");
  return context.compiledClass(request);
}

import type { ClassCompiler } from "#services/admission/index.ts";
import type { ForkCompilation, FromFork, ToFork } from "../threads/fork-messages.ts";

/** No account pays for classes of the origin. */
const NO_SENDER = 0n;

/** Compiles a class of the origin for the fork thread. Never rejects. */
export async function compileForOrigin(
  compiler: Pick<ClassCompiler, "compile">,
  { id, classHash, contractClass }: Extract<FromFork, { readonly kind: "compile" }>,
): Promise<ToFork> {
  const outcome = await compiler.compile({
    sender: NO_SENDER,
    classHash,
    classBytes: contractClass,
    isTrial: true,
  });
  return { kind: "compiled", id, outcome: compilationOf(outcome) };
}

function compilationOf(outcome: Awaited<ReturnType<ClassCompiler["compile"]>>): ForkCompilation {
  if (outcome.kind === "compiled") return { kind: "compiled", casmJson: outcome.casmJson };
  if (outcome.kind === "busy") return { kind: "busy", reason: outcome.reason };
  return { kind: "refused", reason: outcome.reason };
}

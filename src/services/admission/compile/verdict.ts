import type { CompilerAnswer } from "./compiler-port.ts";
import type { Refusal } from "./refusals.ts";

/** Compiler answers that are the fault of the class: it cannot be compiled, or exceeds a limit. */
export type AdverseAnswer = Exclude<CompilerAnswer, { readonly kind: "compiled" | "unavailable" }>;

/** The compiler's code for a class whose bytecode exceeds the network's limit. */
const TOO_LARGE = "CASM_TOO_LARGE";

/** Maps a compiler's answer to the refusal of the class. */
export function refusalOf(answer: AdverseAnswer): Refusal {
  const isTooLarge = answer.kind === "failed" && answer.code === TOO_LARGE;
  const code = isTooLarge ? "CONTRACT_CLASS_SIZE_IS_TOO_LARGE" : "COMPILATION_FAILED";
  return { kind: "refused", code, reason: reasonOf(answer) };
}

/** Whether the same class would always get the same answer, regardless of machine load. */
export function isFinal({ kind }: AdverseAnswer): boolean {
  return kind === "failed";
}

function reasonOf(answer: AdverseAnswer): string {
  switch (answer.kind) {
    case "failed":
      return answer.message;
    case "outOfMemory":
      return `compiling took more than ${Math.floor(answer.limitBytes / 2 ** 20)} MiB of memory`;
    case "outOfTime":
      return `compiling took more than ${answer.limitMs / 1000} s of processor time`;
    case "ended":
      return `the compiler ended while it compiled the class: ${answer.reason}`;
  }
}

import type { QueryContext } from "../context.ts";
import { type ResolvedBlock, resolveBlock, stateOf } from "../block-id.ts";
import { method, required } from "../method.ts";
import { classAt } from "./classes.ts";

/** JSON-RPC method `starknet_getCompiledCasm`: the compiled code of a declared Sierra class. */
export const getCompiledCasm = method({
  name: "getCompiledCasm",
  family: "read",
  runsOn: "query",
  summary: "The compiled code of a declared Sierra class.",
  params: (spec) => ({ class_hash: required(spec.felt) }),
  result: (spec) => spec.compiledClass,
  answer: (spec) => spec.schemas.compiledClass,
  errors: ["COMPILATION_ERROR", "CLASS_HASH_NOT_FOUND"],
  handler(context, { class_hash }, fail) {
    const block = newestBlock(context) ?? fail("CLASS_HASH_NOT_FOUND");
    const casm = stateOf(context, block).executableClass(class_hash)?.casm ?? null;
    if (casm !== null) return casm;
    // A Cairo 0 class has no compiled form: other nodes respond as for an unknown class.
    if (classAt(context, block, class_hash)?.kind !== "sierra") return fail("CLASS_HASH_NOT_FOUND");
    const compilationError = "this node has no compiled code of the class";
    return fail("COMPILATION_ERROR", { compilationError });
  },
});

/** The method has no block id: a class counts as soon as the block being built contains it. */
function newestBlock(context: QueryContext): ResolvedBlock | undefined {
  return (
    resolveBlock(context, { kind: "pre_confirmed" }) ?? resolveBlock(context, { kind: "latest" })
  );
}
